import type { Clock } from '../../../base/clock.ts';
import { wireSeconds } from '../../../protocol/transcriptJson.ts';
import type { FinalEvent, PartialEvent } from '../../../transcript/model/events.ts';
import type { LiveOptions } from './listenOptions.ts';
import { type Alternative, alternativeOf, spokenAlternative } from './results.ts';

export interface VoiceOptions {
  readonly options: LiveOptions;
  /** Index of the channel, and number of channels. */
  readonly channelIndex: readonly [number, number];
  readonly metadata: object;
  readonly clock: Clock;
  /** Returns the seconds of audio that came no faster than it was spoken; 0 when that is not known. */
  readonly heardSeconds: () => number;
  /** Sends a message. */
  readonly post: (message: object) => void;
}

/** The events of one session, as messages of Deepgram's interface. */
export class Voice {
  readonly #settings: VoiceOptions;
  readonly #utteranceEnd: UtteranceEnd;
  #isSpeaking = false;
  #isFinalizing = false;
  /** The last final while the utterance is being ended on request: it may be the one of the request. */
  #held: FinalEvent | undefined;
  #endTs = 0;

  constructor(settings: VoiceOptions) {
    this.#settings = settings;
    this.#utteranceEnd = createUtteranceEnd(settings);
  }

  /** End of the last final in seconds. */
  get endTs(): number {
    return this.#endTs;
  }

  /** Takes an event of the session. */
  take(event: PartialEvent | FinalEvent): void {
    const { options } = this.#settings;
    this.#release(false);
    if (event.elements.length > 0) this.#beginSpeech(event.ts);
    if (event.type === 'partial') {
      if (options.hasInterim) this.#post(event, spokenAlternative(event.elements, 0, options));
    } else if (this.#isFinalizing) this.#held = event;
    else this.#postFinal(event, false);
  }

  /** Call when a client wants the final of what was said. */
  beginFinalizing(): void {
    this.#isFinalizing = true;
  }

  /** Call when it has been sent. A client that waits for it gets an answer in silence too. */
  endFinalizing(): void {
    if (!this.#isFinalizing) return;
    this.#isFinalizing = false;
    const ends = { ts: this.#endTs, endTs: this.#endTs };
    if (!this.#held) this.#post(ends, alternativeOf('', []), { isFinal: true, isRequested: true });
    this.#release(true);
  }

  /** Sends what is held; nothing follows. */
  close(): void {
    this.#release(true);
    this.#isFinalizing = false;
    this.#utteranceEnd.cancel();
  }

  #release(isRequested: boolean): void {
    if (this.#held) this.#postFinal(this.#held, isRequested);
    this.#held = undefined;
  }

  #beginSpeech(ts: number): void {
    if (this.#isSpeaking) return;
    this.#isSpeaking = true;
    this.#utteranceEnd.beginSpeech(ts);
    const { options, channelIndex: channel, post } = this.#settings;
    if (options.hasSpeechEvents) post({ type: 'SpeechStarted', channel, timestamp: ts });
  }

  #postFinal(event: FinalEvent, isRequested: boolean): void {
    const alternative = spokenAlternative(event.elements, event.speaker ?? 0, this.#settings.options);
    this.#post(event, alternative, { isFinal: true, isRequested });
    this.#endTs = event.endTs;
    this.#isSpeaking = false;
    const last = alternative.words.at(-1);
    if (last) this.#utteranceEnd.endSpeech(last.end);
  }

  #post(
    { ts, endTs }: Pick<FinalEvent, 'ts' | 'endTs'>,
    alternative: Alternative,
    { isFinal = false, isRequested = false } = {},
  ): void {
    const { channelIndex, metadata, post } = this.#settings;
    post({
      type: 'Results',
      channel_index: channelIndex,
      duration: wireSeconds(endTs - ts),
      start: ts,
      is_final: isFinal,
      speech_final: isFinal,
      channel: { alternatives: [alternative] },
      metadata,
      from_finalize: isRequested,
    });
  }
}

type UtteranceEnd = ReturnType<typeof createUtteranceEnd>;

/** Creates the report that no word has followed the last final for some time. */
function createUtteranceEnd({ options, channelIndex: channel, clock, heardSeconds, post }: VoiceOptions) {
  const { utteranceEndMs } = options;
  let lastWordEnd = 0;
  let isAwaited = false;
  let cancel = () => {};
  const report = () => {
    isAwaited = false;
    post({ type: 'UtteranceEnd', channel, last_word_end: lastWordEnd });
  };
  return {
    /** Call for the first word of an utterance. */
    beginSpeech(ts: number): void {
      cancel();
      // Audio that comes faster than it was spoken has the pause in it.
      if (isAwaited && (ts - lastWordEnd) * 1000 >= utteranceEndMs!) report();
      isAwaited = false;
    },
    /** Call with the end of the last word of a final. */
    endSpeech(wordEnd: number): void {
      cancel();
      if (utteranceEndMs === undefined) return;
      isAwaited = true;
      lastWordEnd = wordEnd;
      const passedMs = Math.max(0, heardSeconds() - wordEnd) * 1000;
      cancel = clock.schedule(Math.max(0, utteranceEndMs - passedMs), report);
    },
    cancel: () => cancel(),
  };
}
