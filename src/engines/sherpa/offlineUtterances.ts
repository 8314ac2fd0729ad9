import { createRecentAudio } from '../../audio/recentAudio.ts';
import { createBlocks } from '../../audio/sampleBlocks.ts';
import type { RecognizedWord, RecognizerResult } from '../recognizer.ts';
import { createEndpointer, DEFAULT_ENDPOINTER_OPTIONS, type Endpointer } from '../voice/endpointer.ts';
import { VOICE_WINDOW_FRAMES, type VoiceDetector } from '../voice/voiceDetector.ts';
import { quietestFrame } from './quietestFrame.ts';
import { SAMPLE_RATE } from './tokenWords.ts';

/** Audio after the last voice that belongs to an utterance: words end softly. */
const POST_ROLL_FRAMES = 0.2 * SAMPLE_RATE;
/** What has less voice is the rest of a word, or none. */
const LEAST_VOICE_FRAMES = 0.1 * SAMPLE_RATE;
/** Audio kept while nobody speaks: what an utterance reaches back to. */
const KEPT_FRAMES =
  (DEFAULT_ENDPOINTER_OPTIONS.preRollSeconds + DEFAULT_ENDPOINTER_OPTIONS.onsetSeconds + 1) * SAMPLE_RATE;

export interface OfflineUtteranceOptions {
  readonly pauseSeconds: number;
  readonly maxSegmentFrames: number;
  /** The words in samples that begin at a frame of the stream. */
  readonly recognize: (samples: Int16Array, startFrame: number) => Promise<readonly RecognizedWord[]>;
  readonly emit: (result: RecognizerResult) => void;
}

/** A piece of the stream to be recognised. */
interface Span {
  readonly startFrame: number;
  readonly endFrame: number;
  readonly cut: boolean;
}

/** A stream of samples as utterances for models that hear whole ones: a final at each pause, no partials. */
export class OfflineUtterances implements Disposable {
  readonly #detector: VoiceDetector;
  readonly #options: OfflineUtteranceOptions;
  readonly #endpointer: Endpointer;
  readonly #recent = createRecentAudio();
  readonly #windows = createBlocks(VOICE_WINDOW_FRAMES);
  #now = 0;
  /** Of the utterance that goes on. */
  #startFrame: number | undefined;

  /** Takes the detector over. */
  constructor(detector: VoiceDetector, options: OfflineUtteranceOptions) {
    this.#detector = detector;
    this.#options = options;
    this.#endpointer = createEndpointer({ detector, pauseSeconds: options.pauseSeconds });
  }

  async write(samples: Int16Array): Promise<void> {
    const spans: Span[] = [];
    this.#windows.push(samples, window => {
      const span = this.#hear(window);
      if (span) spans.push(span);
    });
    for (const span of spans) await this.#recognize(span);
    this.#recent.keep(this.#startFrame === undefined ? KEPT_FRAMES : this.#now - this.#startFrame);
  }

  /** Recognises what is left. */
  async finish(): Promise<void> {
    const rest = this.#windows.rest();
    this.#recent.push(rest);
    this.#now += rest.length;
    const span = this.#startFrame !== undefined && this.#span(this.#startFrame, this.#now);
    this.#startFrame = undefined;
    if (span) await this.#recognize(span);
  }

  [Symbol.dispose](): void {
    this.#detector[Symbol.dispose]();
  }

  /** A span that is complete with this window. */
  #hear(window: Int16Array): Span | undefined {
    this.#recent.push(window);
    this.#now += window.length;
    const edge = this.#endpointer.process(window);
    if (edge?.type === 'start') this.#startFrame = edge.frame;
    const startFrame = this.#startFrame;
    if (startFrame === undefined) return undefined;
    if (edge?.type === 'end') {
      this.#startFrame = undefined;
      return this.#span(startFrame, Math.min(this.#now, edge.frame + POST_ROLL_FRAMES));
    }
    if (this.#now - startFrame < this.#options.maxSegmentFrames) return undefined;
    const audio = this.#recent.last(this.#now - startFrame);
    const endFrame = startFrame + quietestFrame(audio);
    this.#startFrame = endFrame;
    return this.#span(startFrame, endFrame, true);
  }

  /** Nothing where nobody speaks: a cut may have been in the pause, or shortly before the end. */
  #span(startFrame: number, endFrame: number, cut = false): Span | undefined {
    const voiceEnd = Math.min(endFrame, this.#endpointer.voiceEnd);
    return voiceEnd - startFrame < LEAST_VOICE_FRAMES ? undefined : { startFrame, endFrame, cut };
  }

  async #recognize({ startFrame, endFrame, cut }: Span): Promise<void> {
    const samples = this.#recent.last(this.#now - startFrame).subarray(0, endFrame - startFrame);
    const words = await this.#options.recognize(samples, startFrame);
    if (words.length === 0) return;
    this.#options.emit({
      type: 'final',
      startFrame: words[0]!.startFrame,
      endFrame: words.at(-1)!.endFrame,
      words,
      ...(cut && { cut }),
    });
  }
}
