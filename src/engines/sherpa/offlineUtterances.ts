import type { RecognizedWord, RecognizerResult } from '../recognizer.ts';
import { createSpeechSpans, type SpeechSpan, type SpeechSpans } from '../voice/speechSpans.ts';
import type { VoiceDetector } from '../voice/voiceDetector.ts';

export interface OfflineUtteranceOptions {
  readonly pauseSeconds: number;
  readonly maxSegmentFrames: number;
  /** The words in samples that begin at a frame of the stream. */
  readonly recognize: (samples: Int16Array, startFrame: number) => Promise<readonly RecognizedWord[]>;
  readonly emit: (result: RecognizerResult) => void;
}

/** A stream of samples as utterances for models that hear whole ones: a final at each pause, no partials. */
export class OfflineUtterances implements Disposable {
  readonly #options: OfflineUtteranceOptions;
  readonly #spans: SpeechSpans;
  #ended: { readonly span: SpeechSpan; readonly samples: Int16Array }[] = [];

  /** Takes the detector over. */
  constructor(detector: VoiceDetector, options: OfflineUtteranceOptions) {
    this.#options = options;
    this.#spans = createSpeechSpans(detector, {
      pauseSeconds: options.pauseSeconds,
      maxFrames: options.maxSegmentFrames,
      onSpan: span => {
        this.#ended.push({ span, samples: this.#spans.audio(span.startFrame, span.endFrame) });
      },
    });
  }

  async write(samples: Int16Array): Promise<void> {
    this.#spans.write(samples);
    await this.#recognizeEnded();
  }

  /** Recognises what is left. */
  async finish(): Promise<void> {
    this.#spans.finish();
    await this.#recognizeEnded();
  }

  [Symbol.dispose](): void {
    this.#spans[Symbol.dispose]();
  }

  async #recognizeEnded(): Promise<void> {
    const ended = this.#ended;
    this.#ended = [];
    for (const { span, samples } of ended) {
      const words = await this.#options.recognize(samples, span.startFrame);
      if (words.length === 0) continue;
      this.#options.emit({
        type: 'final',
        startFrame: words[0]!.startFrame,
        endFrame: words.at(-1)!.endFrame,
        words,
        ...(span.cut && { cut: true }),
      });
    }
  }
}
