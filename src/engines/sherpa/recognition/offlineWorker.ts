import type { OfflineRecognizer } from 'sherpa-onnx-node';
import { toFloats } from '../../../audio/pcm/pcm.ts';
import type { ChannelOpener } from '../../process/serveWork.ts';
import type { RecognizedWord, RecognizerResult, RecognizerSession } from '../../recognizer.ts';
import { streamed, type WholeUtterance } from '../../streamed.ts';
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
  function recognize(samples: Int16Array, hotwords?: string) {
    const recognized = busy.then(() => recognizeOne(recognizer, { samples, hotwords, joinsByMark, read }));
    busy = recognized.catch(() => {});
    return recognized;
  }
  return emit => {
    let session: RecognizerSession | undefined;
    return {
      async start({ maxSegmentFrames, hotwords }) {
        const hear = async ({ samples }: WholeUtterance) => ({ words: await recognize(samples, hotwords) });
        session = streamed(hear, await detectVoice(), { pauseSeconds, maxSegmentFrames });
        // Calls reject with the same error.
        session.results$.subscribe({ next: emit, error: () => {} });
      },
      write: samples => session?.write(samples),
      flush: () => session?.flush(),
      finish: () => session?.finish(),
      [Symbol.dispose]: () => void session?.close(),
    };
  };
}

interface OfflineUtterance {
  readonly samples: Int16Array;
  readonly hotwords?: string;
  readonly joinsByMark: boolean;
  /** Returns the text of each token. */
  readonly read: (tokens: readonly string[]) => readonly string[];
}

async function recognizeOne(
  recognizer: OfflineRecognizer,
  { samples, hotwords, joinsByMark, read }: OfflineUtterance,
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
    startFrame: 0,
    endFrame: samples.length,
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
