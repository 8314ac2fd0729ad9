import { basename } from 'node:path';
import { inspectModel } from '../../../src/engines/models/inspectModel.ts';
import type { ModelDirectory } from '../../../src/engines/models/modelDirectory.ts';
import { createSherpaRecognizer } from '../../../src/engines/sherpa/recognizer.ts';
import { SAMPLE_RATE } from '../../../src/engines/sherpa/tasks.ts';
import { scoreWords } from '../../../src/replay/score/scoreWords.ts';
import { cpuSecondsOf } from '../../helpers/cpuSeconds.ts';
import { type SpeechRecording, samplesOf, speechRecordings } from '../../helpers/speechRecordings.ts';

/** Published word error rates by model: greedy search on LibriSpeech test-clean. */
const PUBLISHED: Readonly<Record<string, number>> = { 'streaming-zipformer-en-20M-2023-02-17': 3.9 };

/** Measures word error rate and processor time of sessions with a model. */
export async function run(): Promise<void> {
  const directory = process.env.RXSCRIBE_MODEL;
  if (!directory) {
    console.log('set RXSCRIBE_MODEL to the directory of a recogniser for sherpa-onnx; to get one:');
    console.log('  npx rxscribe model pull streaming-zipformer-en-20M-2023-02-17');
    return;
  }
  const model = await inspectModel(directory);
  console.log(`${basename(model.path)}: ${model.kind}`);
  const recordings = speechRecordings();
  const loadingSeconds = await cpuSecondsOf(() => recognize(model, []));
  const rows = [];
  for (const set of new Set(recordings.map(recording => recording.set))) {
    const chosen = recordings.filter(recording => recording.set === set);
    rows.push({ set, ...(await measure(model, chosen, loadingSeconds)) });
  }
  console.table(rows.sort((one, other) => one.set.localeCompare(other.set)));
  const published = Object.entries(PUBLISHED).find(([name]) => model.path.includes(name));
  if (published) console.log(`published, on LibriSpeech test-clean: ${published[1]} %`);
}

async function measure(
  model: ModelDirectory,
  recordings: readonly SpeechRecording[],
  loadingSeconds: number,
) {
  let heard: readonly (readonly string[])[] = [];
  const cpuSeconds = await cpuSecondsOf(async () => {
    heard = await recognize(model, recordings);
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

async function recognize(model: ModelDirectory, recordings: readonly SpeechRecording[]) {
  await using recognizer = createSherpaRecognizer({ model });
  await recognizer.warm();
  const heard: string[][] = [];
  for (const recording of recordings) {
    const finals = await recognizer.recognize([samplesOf(recording)]);
    heard.push(finals.flatMap(({ words }) => words.map(({ value }) => value)));
  }
  return heard;
}
