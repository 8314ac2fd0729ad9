import type { RecognizedWord, RecognizerResult } from './recognizer.ts';
import { inOrder } from './timedWords.ts';
import { UtteranceSession } from './utteranceSession.ts';
import { DEFAULT_PAUSE_SECONDS } from './voice/endpointer.ts';
import type { SpeechSpan } from './voice/speechSpans.ts';
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

/** An utterance as an engine hears it. */
export interface HeardUtterance {
  /** In frames since the start of the utterance; empty for noise. */
  readonly words: readonly RecognizedWord[];
  /** ISO 639-1 code, if the engine finds the language. */
  readonly language?: string | undefined;
  /** True when the words share times by their lengths. Default false. */
  readonly hasSharedTimes?: boolean;
}

export type RecognizeUtterance = (utterance: WholeUtterance) => Promise<HeardUtterance>;

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

/** Frames of the shortest word. */
const LEAST_WORD_FRAMES = 0.01 * VOICE_SAMPLE_RATE;

/**
 * Opens a session of an engine that recognises whole utterances: a voice detector cuts the stream, each utterance becomes a
 * final, and the growing one partials if wanted. An error of `recognize` for a final ends the session; that of a partial is
 * ignored.
 *
 * @param detector disposed of with the session
 * @example
 * const yes = async () => ({ words: [{ value: 'yes', startFrame: 0, endFrame: 8000 }] });
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
export class StreamedSession extends UtteranceSession {
  readonly #recognize: RecognizeUtterance;
  /** Frames of new audio before another partial; none in recordings. */
  readonly #stepFrames: number | undefined;
  readonly #ending = new AbortController();
  /** The partial that is being recognised. */
  #partial: AbortController | undefined;
  /** Frame at which the next partial is due, for the utterance that starts at a frame. */
  #next = { startFrame: -1, frame: 0 };

  constructor(recognize: RecognizeUtterance, detector: VoiceDetector, options: StreamedOptions) {
    const { kind = 'stream', partialSeconds, signal, onClose } = options;
    super({
      ...{ detector, kind, signal, onClose },
      pauseSeconds: options.pauseSeconds ?? DEFAULT_PAUSE_SECONDS,
      maxSegmentFrames: options.maxSegmentFrames ?? 30 * VOICE_SAMPLE_RATE,
      maxWaiting: options.maxWaiting ?? 1,
    });
    this.#recognize = recognize;
    if (partialSeconds && kind === 'stream') this.#stepFrames = partialSeconds * VOICE_SAMPLE_RATE;
  }

  protected onPiece(): void {
    const { startFrame, now } = this.spans;
    if (this.#stepFrames === undefined || startFrame === undefined) return;
    if (this.#next.startFrame !== startFrame) {
      this.#next = { startFrame, frame: startFrame + this.#stepFrames };
    }
    if (now < this.#next.frame || this.#partial || this.awaited.count > 0) return;
    this.#next = { startFrame, frame: now + this.#stepFrames };
    const partial = new AbortController();
    this.#partial = partial;
    const samples = this.spans.audio(startFrame, now);
    this.#recognize({ samples, isPartial: true, signal: partial.signal })
      .then(heard => {
        if (this.over || partial.signal.aborted || heard.words.length === 0) return;
        this.show(resultOf('partial', { startFrame, endFrame: now }, heard));
      })
      // The final fails with the same error, if it persists.
      .catch(() => {})
      .finally(() => {
        this.#partial = undefined;
      });
  }

  protected recognize({ startFrame, endFrame }: SpeechSpan) {
    this.#partial?.abort();
    // Copied now, because the stream continues.
    const samples = this.spans.audio(startFrame, endFrame);
    const recognized = this.#recognize({ samples, isPartial: false, signal: this.#ending.signal });
    recognized.catch(() => {});
    return async () => {
      const heard = await recognized;
      return heard.words.length > 0 ? resultOf('final', { startFrame, endFrame }, heard) : undefined;
    };
  }

  protected override settle(): Promise<void> {
    this.#partial?.abort();
    return super.settle();
  }

  protected override release(): Promise<void> {
    this.#ending.abort();
    this.#partial?.abort();
    return super.release();
  }
}

/** Returns a result with the words of an utterance, which are put in order within it. */
function resultOf(
  type: RecognizerResult['type'],
  { startFrame, endFrame }: Pick<SpeechSpan, 'startFrame' | 'endFrame'>,
  { words, ...heard }: HeardUtterance,
): RecognizerResult {
  const moved = words.map(word => ({
    ...word,
    startFrame: word.startFrame + startFrame,
    endFrame: word.endFrame + startFrame,
  }));
  const placed = inOrder(moved, { startFrame, endFrame }, LEAST_WORD_FRAMES);
  return {
    type,
    startFrame: placed[0]!.startFrame,
    endFrame: placed.at(-1)!.endFrame,
    words: placed,
    ...heard,
  };
}
