import type { OfflineRecognizer } from 'sherpa-onnx-node';
import { toFloats } from '../../../audio/pcm/pcm.ts';
import type { ChannelOpener } from '../../process/serveWork.ts';
import type { RecognizedWord, RecognizerResult } from '../../recognizer.ts';
import { createSpeechSpans, type SpeechSpan, type SpeechSpans } from '../../voice/speechSpans.ts';
import { createVoiceDetector, type VoiceDetector } from '../../voice/voiceDetector.ts';
import { SAMPLE_RATE, type SessionMethods, type SherpaTask } from '../tasks.ts';
import { createTokenReader } from '../tokens/byteTokens.ts';
import { wordsOfTokens } from '../tokens/tokenWords.ts';
import { createSileroDetector } from './sileroDetector.ts';

/** Frames of the shortest audio that models accept. */
const LEAST_FRAMES = 0.5 * SAMPLE_RATE;

/** Recognises each utterance after its end, with one model for all streams, one utterance at a time. */
export function createOfflineWorker(
  sherpa: typeof import('sherpa-onnx-node'),
  { config, pauseSeconds, voiceModel, joinsByMark }: Extract<SherpaTask, { does: 'offline' }>,
): ChannelOpener<SessionMethods, RecognizerResult> {
  const recognizer = new sherpa.OfflineRecognizer(config);
  const read = createTokenReader(config);
  // Created at once, so that a broken model fails the loading.
  let spare = voiceModel && createSileroDetector(sherpa, voiceModel);
  async function detectVoice(): Promise<VoiceDetector> {
    if (!voiceModel) return createVoiceDetector();
    const detector = spare || createSileroDetector(sherpa, voiceModel);
    spare = undefined;
    return detector;
  }
  let busy: Promise<unknown> = Promise.resolve();
  /** Utterances of all streams are queued: the model uses all of its threads for each. */
  function recognize(samples: Int16Array, startFrame: number, hotwords?: string) {
    const recognized = busy.then(() =>
      recognizeOne(recognizer, { samples, startFrame, hotwords, joinsByMark, read }),
    );
    busy = recognized.catch(() => {});
    return recognized;
  }
  return emit => {
    let utterances: OfflineUtterances | undefined;
    return {
      async start({ maxSegmentFrames, hotwords }) {
        utterances = new OfflineUtterances(await detectVoice(), {
          pauseSeconds,
          maxSegmentFrames,
          recognize: (samples, startFrame) => recognize(samples, startFrame, hotwords),
          emit,
        });
      },
      write: samples => utterances?.write(samples),
      flush: () => utterances?.flush(),
      finish: () => utterances?.finish(),
      [Symbol.dispose]: () => utterances?.[Symbol.dispose](),
    };
  };
}

interface OfflineUtterance {
  readonly samples: Int16Array;
  readonly startFrame: number;
  readonly hotwords?: string;
  readonly joinsByMark: boolean;
  /** Returns the text of each token. */
  readonly read: (tokens: readonly string[]) => readonly string[];
}

async function recognizeOne(
  recognizer: OfflineRecognizer,
  { samples, startFrame, hotwords, joinsByMark, read }: OfflineUtterance,
): Promise<readonly RecognizedWord[]> {
  const stream = recognizer.createStream(hotwords);
  stream.acceptWaveform({ samples: toFloats(withLeastLength(samples)), sampleRate: SAMPLE_RATE });
  const result = await recognizer.decodeAsync(stream);
  return wordsOfTokens({
    tokens: result.tokens.length > 0 ? read(result.tokens) : textTokens(result.text),
    timestamps: result.timestamps,
    durations: result.durations,
    logProbabilities: result.ys_log_probs,
    joinsByMark,
    startFrame,
    endFrame: startFrame + samples.length,
  });
}

/** Pads short samples with silence. */
function withLeastLength(samples: Int16Array): Int16Array {
  if (samples.length >= LEAST_FRAMES) return samples;
  const padded = new Int16Array(LEAST_FRAMES);
  padded.set(samples);
  return padded;
}

/** Returns words as tokens, for models that return only text. */
function textTokens(text: string): readonly string[] {
  return text
    .split(/\s+/)
    .filter(Boolean)
    .map(word => ` ${word}`);
}

interface OfflineUtteranceOptions {
  readonly pauseSeconds: number;
  readonly maxSegmentFrames: number;
  /** Recognises samples that begin at a frame of the stream. */
  readonly recognize: (samples: Int16Array, startFrame: number) => Promise<readonly RecognizedWord[]>;
  readonly emit: (result: RecognizerResult) => void;
}

/** Cuts a stream into utterances for offline models: a final at each pause, no partials. */
export class OfflineUtterances implements Disposable {
  readonly #options: OfflineUtteranceOptions;
  readonly #spans: SpeechSpans;
  #ended: { readonly span: SpeechSpan; readonly samples: Int16Array }[] = [];

  /** @param detector disposed of with this object */
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

  /** Recognises the utterance in progress, as if a pause ended it now. */
  async flush(): Promise<void> {
    this.#spans.flush();
    await this.#recognizeEnded();
  }

  /** Recognises the rest. */
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
