import type { OfflineRecognizer } from 'sherpa-onnx-node';
import { toFloats } from '../../audio/pcm/pcm.ts';
import type { RecognizedWord } from '../recognizer.ts';
import { createVoiceDetector, type VoiceDetector } from '../voice/voiceDetector.ts';
import type { ChannelWork, ChannelWorker } from './channelWork.ts';
import type { SherpaTask } from './messages.ts';
import { OfflineUtterances } from './offlineUtterances.ts';
import { createSileroDetector } from './sileroDetector.ts';
import { createTokenReader } from './tokenReader.ts';
import { SAMPLE_RATE, wordsOfTokens } from './tokenWords.ts';

/** Models fail on less. */
const LEAST_FRAMES = 0.5 * SAMPLE_RATE;

/** Recognises what has been said at each pause, by one model for all streams, one utterance at a time. */
export function createOfflineWorker(
  sherpa: typeof import('sherpa-onnx-node'),
  { config, pauseSeconds, voiceModel, joinsByMark }: Extract<SherpaTask, { does: 'offline' }>,
): ChannelWorker {
  const recognizer = new sherpa.OfflineRecognizer(config);
  const read = createTokenReader(config);
  // The first one is made at once: with a model that is none, nothing is ready.
  let spare = voiceModel && createSileroDetector(sherpa, voiceModel);
  async function detectVoice(): Promise<VoiceDetector> {
    if (!voiceModel) return createVoiceDetector();
    const detector = spare || createSileroDetector(sherpa, voiceModel);
    spare = undefined;
    return detector;
  }
  let busy: Promise<unknown> = Promise.resolve();
  /** Utterances of all streams wait in one line: the model uses all of its threads for each. */
  function recognize(samples: Int16Array, startFrame: number, hotwords?: string) {
    const recognized = busy.then(() =>
      recognizeOne(recognizer, { samples, startFrame, hotwords, joinsByMark, read }),
    );
    busy = recognized.catch(() => {});
    return recognized;
  }
  return (answer): ChannelWork => {
    let utterances: OfflineUtterances | undefined;
    return {
      async handle(question) {
        switch (question.type) {
          case 'start':
            utterances = new OfflineUtterances(await detectVoice(), {
              pauseSeconds,
              maxSegmentFrames: question.maxSegmentFrames,
              recognize: (samples, startFrame) => recognize(samples, startFrame, question.hotwords),
              emit: result => answer({ type: 'result', result }),
            });
            return answer({ type: 'started' });
          case 'audio':
            await utterances?.write(question.samples);
            return answer({ type: 'taken', frames: question.samples.length });
          case 'finish':
            await utterances?.finish();
            return answer({ type: 'finished' });
        }
      },
      drop: () => utterances?.[Symbol.dispose](),
    };
  };
}

interface OfflineUtterance {
  readonly samples: Int16Array;
  readonly startFrame: number;
  readonly hotwords?: string;
  readonly joinsByMark: boolean;
  /** Says a text for each token of the model. */
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

/** With silence after it where it is too short. */
function withLeastLength(samples: Int16Array): Int16Array {
  if (samples.length >= LEAST_FRAMES) return samples;
  const padded = new Int16Array(LEAST_FRAMES);
  padded.set(samples);
  return padded;
}

/** Words as tokens, where a model gives nothing but text. */
function textTokens(text: string): readonly string[] {
  return text
    .split(/\s+/)
    .filter(Boolean)
    .map(word => ` ${word}`);
}
