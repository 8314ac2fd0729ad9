import { setImmediate } from 'node:timers/promises';
import { QueuedSession } from './queuedSession.ts';
import type { RecognizedWord, RecognizerResult } from './recognizer.ts';
import { inOrder } from './timedWords.ts';
import { DEFAULT_PAUSE_SECONDS } from './voice/endpointer.ts';
import { createSpeechSpans, type SpeechSpan, type SpeechSpans } from './voice/speechSpans.ts';
import { VOICE_SAMPLE_RATE, type VoiceDetector } from './voice/voiceDetector.ts';
import type { SessionKind } from './workMeter.ts';

/** An utterance of a stream. */
export interface WholeUtterance {
  /** Mono at 16 kHz. */
  readonly samples: Int16Array;
  /** True while the utterance goes on, false once it has ended. */
  readonly isPartial: boolean;
  /** Aborted when the words are of no more use. */
  readonly signal: AbortSignal;
}

/** Returns the words of an utterance, in frames since its start. Empty for noise. */
export type RecognizeUtterance = (utterance: WholeUtterance) => Promise<readonly RecognizedWord[]>;

export interface StreamedOptions {
  /** Seconds of silence that end an utterance. Default 0.5. */
  readonly pauseSeconds?: number;
  /** Frames after which speech without a pause is cut. Default: 30 s. */
  readonly maxSegmentFrames?: number;
  /** Seconds of new audio before the utterance in progress is recognised again. Default: no partials. */
  readonly partialSeconds?: number | undefined;
  /** Ended utterances that may wait before `write()` waits. Default 1. */
  readonly maxWaiting?: number;
  /** A recording has no partials. Default `stream`. */
  readonly kind?: SessionKind;
  /** Aborting closes the session. */
  readonly signal?: AbortSignal | undefined;
  /** Called once, when the session is over. */
  readonly onClose?: () => void;
}

/** Audio that is processed before the event loop gets a turn. */
const PIECE_FRAMES = 0.25 * VOICE_SAMPLE_RATE;
/** Frames of the shortest word. */
const LEAST_WORD_FRAMES = 0.01 * VOICE_SAMPLE_RATE;

/**
 * Opens a session of an engine that recognises whole utterances: a voice detector cuts the stream, each utterance becomes a
 * final, and the growing one partials if wanted. An error of `recognize` for a final ends the session; that of a partial is
 * ignored.
 *
 * @param detector disposed of with the session
 * @example
 * const yes = async () => [{ value: 'yes', startFrame: 0, endFrame: 8000 }];
 * await using session = streamed(yes, await createVoiceDetector());
 */
export function streamed(
  recognize: RecognizeUtterance,
  detector: VoiceDetector,
  options: StreamedOptions = {},
): StreamedSession {
  return new StreamedSession(recognize, detector, options);
}

/** A session of {@link streamed}. */
export class StreamedSession extends QueuedSession {
  readonly #recognize: RecognizeUtterance;
  readonly #options: StreamedOptions;
  readonly #spans: SpeechSpans;
  readonly #ending = new AbortController();
  /** Resolves when all finals so far are emitted; keeps them in order. */
  #finals: Promise<void> = Promise.resolve();
  /** The partial that is being recognised. */
  #partial: AbortController | undefined;
  /** Frame at which the next partial is due, for the utterance that starts at a frame. */
  #next = { startFrame: -1, frame: 0 };
  /** True when a partial has words that no final has replaced. */
  #isShown = false;

  constructor(recognize: RecognizeUtterance, detector: VoiceDetector, options: StreamedOptions) {
    super({ kind: options.kind ?? 'stream', signal: options.signal });
    this.#recognize = recognize;
    this.#options = options;
    this.#spans = createSpeechSpans(detector, {
      pauseSeconds: options.pauseSeconds ?? DEFAULT_PAUSE_SECONDS,
      maxFrames: options.maxSegmentFrames ?? 30 * VOICE_SAMPLE_RATE,
      onSpan: span => this.#onSpan(span),
    });
  }

  protected async take(samples: Int16Array): Promise<void> {
    for (let at = 0; at < samples.length; at += PIECE_FRAMES) {
      if (at > 0) await setImmediate();
      if (this.over) return;
      this.#spans.write(samples.subarray(at, at + PIECE_FRAMES));
      this.#updatePartial();
      while (!this.over && this.awaited.count >= (this.#options.maxWaiting ?? 1)) await this.room();
    }
  }

  protected endUtterance(): Promise<void> {
    this.#spans.flush();
    return this.#settle();
  }

  protected endAudio(): Promise<void> {
    this.#spans.finish();
    return this.#settle();
  }

  protected async release(): Promise<void> {
    this.#ending.abort();
    this.#partial?.abort();
    this.#spans[Symbol.dispose]();
    this.#options.onClose?.();
  }

  async #settle(): Promise<void> {
    this.#partial?.abort();
    await this.#finals;
    if (!this.over) this.#takeBack();
  }

  #onSpan(span: SpeechSpan): void {
    this.#partial?.abort();
    // Copied now, because the stream continues.
    const samples = this.#spans.audio(span.startFrame, span.endFrame);
    const words = this.#recognize({ samples, isPartial: false, signal: this.#ending.signal });
    words.catch(() => {});
    this.awaited.add(span.endFrame);
    this.#finals = this.#finals.then(async () => {
      try {
        this.#showFinal(span, await words);
      } catch (error) {
        this.fail(error);
      } finally {
        this.awaited.shift();
        this.onRoom();
      }
    });
  }

  #updatePartial(): void {
    const { partialSeconds, kind } = this.#options;
    const { startFrame, now } = this.#spans;
    if (partialSeconds === undefined || kind === 'recording' || startFrame === undefined) return;
    const step = partialSeconds * VOICE_SAMPLE_RATE;
    if (this.#next.startFrame !== startFrame) this.#next = { startFrame, frame: startFrame + step };
    if (now < this.#next.frame || this.#partial || this.awaited.count > 0) return;
    this.#next = { startFrame, frame: now + step };
    const partial = new AbortController();
    this.#partial = partial;
    const samples = this.#spans.audio(startFrame, now);
    this.#recognize({ samples, isPartial: true, signal: partial.signal })
      .then(words => {
        if (this.over || partial.signal.aborted || words.length === 0) return;
        this.#isShown = true;
        this.results.next(resultOf('partial', { startFrame, endFrame: now }, words));
      })
      // The final fails with the same error, if it persists.
      .catch(() => {})
      .finally(() => {
        this.#partial = undefined;
      });
  }

  #showFinal(span: SpeechSpan, words: readonly RecognizedWord[]): void {
    if (this.over) return;
    if (words.length === 0) {
      this.#takeBack();
      return;
    }
    this.#isShown = false;
    this.results.next({ ...resultOf('final', span, words), ...(span.cut && { cut: true }) });
  }

  #takeBack(): void {
    if (!this.#isShown) return;
    this.#isShown = false;
    const { now } = this.#spans;
    this.results.next({ type: 'partial', startFrame: now, endFrame: now, words: [] });
  }
}

/** Returns a result with the words of an utterance, which are put in order within it. */
function resultOf(
  type: RecognizerResult['type'],
  { startFrame, endFrame }: Pick<SpeechSpan, 'startFrame' | 'endFrame'>,
  words: readonly RecognizedWord[],
): RecognizerResult {
  const moved = words.map(word => ({
    ...word,
    startFrame: word.startFrame + startFrame,
    endFrame: word.endFrame + startFrame,
  }));
  const placed = inOrder(moved, { startFrame, endFrame }, LEAST_WORD_FRAMES);
  return { type, startFrame: placed[0]!.startFrame, endFrame: placed.at(-1)!.endFrame, words: placed };
}
