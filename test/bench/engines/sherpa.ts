import { basename } from 'node:path';
import { toFloats } from '../../../src/audio/pcm/pcm.ts';
import { inspectModel } from '../../../src/engines/models/inspectModel.ts';
import type { ModelDirectory } from '../../../src/engines/models/modelDirectory.ts';
import { isOnline, recognizerTask } from '../../../src/engines/sherpa/nativeConfig.ts';
import {
  createSherpaRecognizer,
  SHERPA_RECOGNIZER_DEFAULTS,
} from '../../../src/engines/sherpa/recognizer.ts';
import { loadSherpaOnnx } from '../../../src/engines/sherpa/sherpaOnnx.ts';
import { SAMPLE_RATE } from '../../../src/engines/sherpa/tasks.ts';
import { plainWord } from '../../../src/engines/sherpa/tokens/tokenWords.ts';
import { scoreWords } from '../../../src/replay/score/scoreWords.ts';
import { cpuSecondsOf } from '../../helpers/cpuSeconds.ts';
import { type SpeechRecording, samplesOf, speechRecordings } from '../../helpers/speechRecordings.ts';

/** Published word error rates by model: greedy search on LibriSpeech test-clean. */
const PUBLISHED: Readonly<Record<string, number>> = { 'streaming-zipformer-en-20M-2023-02-17': 3.9 };
/** Silence after the end, since models look ahead. */
const SECONDS_AFTER_END = 1;

/** Recognises recordings, including loading and release. */
type Way = (recordings: readonly SpeechRecording[]) => Promise<readonly (readonly string[])[]>;

/** Measures word error rate and processor time of our sessions with a model, next to the library alone. */
export async function run(): Promise<void> {
  const directory = process.env.RXSCRIBE_MODEL;
  if (!directory) {
    console.log('set RXSCRIBE_MODEL to the directory of a recogniser for sherpa-onnx; to get one:');
    console.log('  npx rxscribe model pull streaming-zipformer-en-20M-2023-02-17');
    return;
  }
  const model = await inspectModel(directory);
  console.log(`${basename(model.path)}: ${model.kind}`);
  const ways: Record<string, Way> = { rxscribe: recordings => ours(model, recordings) };
  // Alone, Whisper recognises only 30 s, not whole recordings.
  if (model.kind !== 'whisper') ways['the library'] = recordings => alone(model, recordings);
  const recordings = speechRecordings();
  const rows = [];
  for (const [way, recognize] of Object.entries(ways)) {
    const loadingSeconds = await cpuSecondsOf(() => recognize([]));
    for (const set of new Set(recordings.map(recording => recording.set))) {
      const chosen = recordings.filter(recording => recording.set === set);
      rows.push({ set, way, ...(await measure(chosen, recognize, loadingSeconds)) });
    }
  }
  console.table(rows.sort((one, other) => one.set.localeCompare(other.set)));
  const published = Object.entries(PUBLISHED).find(([name]) => model.path.includes(name));
  if (published) console.log(`published, on LibriSpeech test-clean: ${published[1]} %`);
}

async function measure(recordings: readonly SpeechRecording[], recognize: Way, loadingSeconds: number) {
  let heard: readonly (readonly string[])[] = [];
  const cpuSeconds = await cpuSecondsOf(async () => {
    heard = await recognize(recordings);
  });
  const scores = recordings.map(({ reference }, index) => scoreWords(reference, heard[index]!));
  const sum = (values: readonly number[]) => values.reduce((total, value) => total + value, 0);
  const errors = sum(
    scores.map(({ substitutions, deletions, insertions }) => substitutions + deletions + insertions),
  );
  const words = sum(scores.map(score => score.tokens));
  const seconds = sum(recordings.map(recording => samplesOf(recording).length / SAMPLE_RATE));
  return {
    words,
    'WER %': Math.round((1000 * errors) / words) / 10,
    'CPU / real time': Math.round((1000 * (cpuSeconds - loadingSeconds)) / seconds) / 1000,
  };
}

async function ours(model: ModelDirectory, recordings: readonly SpeechRecording[]) {
  await using recognizer = createSherpaRecognizer({ model });
  await recognizer.warm();
  const heard: string[][] = [];
  for (const recording of recordings) {
    const finals = await recognizer.recognize([samplesOf(recording)]);
    heard.push(finals.flatMap(({ words }) => words.map(({ value }) => value)));
  }
  return heard;
}

async function alone(model: ModelDirectory, recordings: readonly SpeechRecording[]) {
  const sherpa = await loadSherpaOnnx();
  const { pauseSeconds, hotwordsScore, threads } = SHERPA_RECOGNIZER_DEFAULTS;
  const { config } = recognizerTask(model, {
    ...{ pauseSeconds, hotwordsScore, decodingMethod: 'greedy_search', language: 'en' },
    threads: isOnline(model.kind) ? 1 : threads,
  }) as { readonly config: Readonly<Record<string, unknown>> };
  const hear = isOnline(model.kind)
    ? onlineTexts(new sherpa.OnlineRecognizer(config))
    : offlineTexts(new sherpa.OfflineRecognizer(config));
  const heard: string[][] = [];
  for (const recording of recordings) {
    const text = await hear(toFloats(samplesOf(recording)));
    heard.push(text.split(/\s+/).map(plainWord).filter(Boolean));
  }
  return heard;
}

function onlineTexts(recognizer: import('sherpa-onnx-node').OnlineRecognizer) {
  return async (samples: Float32Array) => {
    const stream = recognizer.createStream();
    stream.acceptWaveform({ samples, sampleRate: SAMPLE_RATE });
    stream.acceptWaveform({
      samples: new Float32Array(SECONDS_AFTER_END * SAMPLE_RATE),
      sampleRate: SAMPLE_RATE,
    });
    stream.inputFinished();
    while (recognizer.isReady(stream)) recognizer.decode(stream);
    return recognizer.getResult(stream).text;
  };
}

function offlineTexts(recognizer: import('sherpa-onnx-node').OfflineRecognizer) {
  return async (samples: Float32Array) => {
    const stream = recognizer.createStream();
    stream.acceptWaveform({ samples, sampleRate: SAMPLE_RATE });
    return (await recognizer.decodeAsync(stream)).text;
  };
}
