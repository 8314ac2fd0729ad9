import type { Clock } from '../../../base/clock.ts';
import { wireSeconds } from '../../../protocol/transcriptJson.ts';
import type { FinalEvent, PartialEvent } from '../../../transcript/model/events.ts';
import type { LiveOptions } from './listenOptions.ts';
import { type Alternative, alternativeOf, modelInfo, spokenAlternative } from './results.ts';

export interface VoiceOptions {
  readonly options: LiveOptions;
  readonly requestId: string;
  /** Index of the session, and number of sessions. */
  readonly channel: readonly [index: number, count: number];
  /** Name of the recogniser. */
  readonly model: string;
  readonly clock: Clock;
  /** Returns the seconds of audio that came no faster than it was spoken; 0 when that is not known. */
  readonly heardSeconds: () => number;
  /** Sends a message. */
  readonly post: (message: object) => void;
}

/** The events of a session, as messages of Deepgram's interface. */
export class Voice {
  /** End of the last final in seconds. */
  endTs = 0;
  readonly #settings: VoiceOptions;
  #isSpeaking = false;
  #isFinalizing = false;
  /** The last final while the utterance is being ended on request: it may be the answer to the request. */
  #held: FinalEvent | undefined;
  /** End of the last word, while it is not known whether another one follows; unset when no end is to be reported. */
  #lastWordEnd: number | undefined;
  #cancelUtteranceEnd = () => {};

  constructor(settings: VoiceOptions) {
    this.#settings = settings;
  }

  /** Takes an event of the session. */
  take(event: PartialEvent | FinalEvent): void {
    const { options } = this.#settings;
    this.#release(false);
    if (event.elements.some(({ type }) => type === 'text')) this.#beginSpeech(event.ts);
    if (event.type === 'partial') {
      // An empty partial withdraws words that were no speech.
      if (event.elements.length === 0) this.#awaitSpeech();
      if (options.hasInterim) this.#post(event, spokenAlternative(event.elements, 0, options));
    } else if (this.#isFinalizing) this.#held = event;
    else this.#postFinal(event, false);
  }

  /** Call when a client requests the final of its speech so far. */
  beginFinalizing(): void {
    this.#isFinalizing = true;
  }

  /** Call when that final has been sent. A waiting client also gets an answer in silence. */
  endFinalizing(): void {
    if (!this.#isFinalizing) return;
    this.#isFinalizing = false;
    const span = { ts: this.endTs, endTs: this.endTs };
    if (!this.#held) this.#post(span, alternativeOf('', []), { isFinal: true, isRequested: true });
    this.#release(true);
  }

  /** Sends the held final. Must be the last call. */
  close(): void {
    this.#isFinalizing = false;
    this.#release(true);
    this.#cancelUtteranceEnd();
  }

  #release(isRequested: boolean): void {
    if (this.#held) this.#postFinal(this.#held, isRequested);
    this.#held = undefined;
  }

  #beginSpeech(ts: number): void {
    if (this.#isSpeaking) return;
    this.#isSpeaking = true;
    const { options, channel, post } = this.#settings;
    // For audio that arrives faster than it was spoken, the pause is measured in the audio.
    if ((ts - this.#lastWordEnd!) * 1000 >= options.utteranceEndMs) this.#endUtterance();
    this.#cancelUtteranceEnd();
    if (options.hasSpeechEvents) post({ type: 'SpeechStarted', channel, timestamp: ts });
  }

  #postFinal(event: FinalEvent, isRequested: boolean): void {
    const { options } = this.#settings;
    const alternative = spokenAlternative(event.elements, event.speaker ?? 0, options);
    this.#post(event, alternative, { isFinal: true, isRequested });
    this.endTs = event.endTs;
    if (options.utteranceEndMs > 0) this.#lastWordEnd = alternative.words.at(-1)?.end ?? this.#lastWordEnd;
    this.#awaitSpeech();
  }

  /** Reports the end of the utterance when no word follows in time. */
  #awaitSpeech(): void {
    const { options, clock, heardSeconds } = this.#settings;
    this.#isSpeaking = false;
    this.#cancelUtteranceEnd();
    const end = this.#lastWordEnd;
    if (end === undefined) return;
    const restMs = options.utteranceEndMs - Math.max(0, heardSeconds() - end) * 1000;
    this.#cancelUtteranceEnd = clock.schedule(Math.max(0, restMs), () => this.#endUtterance());
  }

  #endUtterance(): void {
    const { channel, post } = this.#settings;
    post({ type: 'UtteranceEnd', channel, last_word_end: this.#lastWordEnd });
    this.#lastWordEnd = undefined;
  }

  #post(
    { ts, endTs }: Pick<FinalEvent, 'ts' | 'endTs'>,
    alternative: Alternative,
    { isFinal = false, isRequested = false } = {},
  ): void {
    const { requestId, channel, model, post } = this.#settings;
    post({
      type: 'Results',
      channel_index: channel,
      duration: wireSeconds(endTs - ts),
      start: ts,
      is_final: isFinal,
      speech_final: isFinal,
      channel: { alternatives: [alternative] },
      metadata: { request_id: requestId, model_info: modelInfo(model), model_uuid: model },
      from_finalize: isRequested,
    });
  }
}
