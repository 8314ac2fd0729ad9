import { setImmediate } from 'node:timers/promises';
import { QueuedSession } from './queuedSession.ts';
import type { RecognizerResult } from './recognizer.ts';
import { createSpeechSpans, type SpeechSpan, type SpeechSpans } from './voice/speechSpans.ts';
import { VOICE_SAMPLE_RATE, type VoiceDetector } from './voice/voiceDetector.ts';
import type { SessionKind } from './workMeter.ts';

export interface UtteranceSessionOptions {
  /** Disposed of with the session. */
  readonly detector: VoiceDetector;
  readonly pauseSeconds: number;
  readonly maxSegmentFrames: number;
  /** Ended utterances that may wait before `write()` waits. */
  readonly maxWaiting: number;
  /** A recording has no partials. */
  readonly kind: SessionKind;
  readonly signal?: AbortSignal | undefined;
  /** Called once, when the session is over. */
  readonly onClose?: (() => void) | undefined;
}

/** Audio that is processed before the event loop gets a turn. */
const PIECE_FRAMES = 0.25 * VOICE_SAMPLE_RATE;

/** A session that cuts its audio into utterances. Each becomes a final, in order. */
export abstract class UtteranceSession extends QueuedSession {
  protected readonly spans: SpeechSpans;
  readonly #maxWaiting: number;
  readonly #onClose: (() => void) | undefined;
  /** Resolves when all finals so far are emitted. */
  #finals: Promise<void> = Promise.resolve();
  /** True when a partial has words that no final has replaced. */
  #isShown = false;

  constructor(options: UtteranceSessionOptions) {
    super(options);
    this.#maxWaiting = options.maxWaiting;
    this.#onClose = options.onClose;
    this.spans = createSpeechSpans(options.detector, {
      pauseSeconds: options.pauseSeconds,
      maxFrames: options.maxSegmentFrames,
      onSpan: span => this.#onSpan(span),
      onPause: span => this.onPause(span),
    });
  }

  /** Called after each piece of audio. */
  protected abstract onPiece(): void | Promise<void>;

  /** Called during a pause, with the utterance as it would end if the pause continues. */
  protected onPause(_span: SpeechSpan): void {}

  /**
   * Starts to recognise an ended utterance. The returned function is called when all earlier finals are emitted, and resolves
   * with the final; undefined for noise.
   */
  protected abstract recognize(span: SpeechSpan): () => Promise<RecognizerResult | undefined>;

  protected async take(samples: Int16Array): Promise<void> {
    for (let at = 0; at < samples.length; at += PIECE_FRAMES) {
      if (at > 0) await setImmediate();
      if (this.over) return;
      this.spans.write(samples.subarray(at, at + PIECE_FRAMES));
      await this.onPiece();
      while (!this.over && this.awaited.count >= this.#maxWaiting) await this.room();
    }
  }

  protected endUtterance(): Promise<void> {
    this.spans.flush();
    return this.settle();
  }

  protected endAudio(): Promise<void> {
    this.spans.finish();
    return this.settle();
  }

  /** Resolves when all finals are emitted; no utterance is in progress. */
  protected async settle(): Promise<void> {
    await this.#finals;
    this.takeBack();
  }

  protected async release(): Promise<void> {
    this.spans[Symbol.dispose]();
    this.#onClose?.();
  }

  protected show(result: RecognizerResult): void {
    this.#isShown = result.type === 'partial';
    this.results.next(result);
  }

  /** Withdraws the shown partial, if there is one. */
  protected takeBack(): void {
    if (!this.#isShown || this.over) return;
    const { now } = this.spans;
    this.results.next({ type: 'partial', startFrame: now, endFrame: now, words: [] });
    this.#isShown = false;
  }

  #onSpan(span: SpeechSpan): void {
    const recognized = this.recognize(span);
    this.awaited.add(span.endFrame);
    this.#finals = this.#finals.then(async () => {
      try {
        const final = await recognized();
        if (this.over) return;
        if (final) this.show({ ...final, ...(span.cut && { cut: true }) });
        else this.takeBack();
      } catch (error) {
        this.fail(error);
      } finally {
        this.awaited.shift();
        this.onRoom();
      }
    });
  }
}
