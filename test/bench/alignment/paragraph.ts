import type { AlignedWord, Aligner } from '../../../src/engines/aligner.ts';
import { createAligner } from '../../../src/engines/alignment/aligner.ts';
import { quantile } from '../../helpers/quantile.ts';
import { overTelephone } from '../engines/parts/overTelephone.ts';
import { type SpokenRecording, speechData } from '../parts/speechData.ts';
import { createTally, type Edit, editsOf, type FoundTime, type Tally } from './parts/edits.ts';

const RATE = 16_000;
const COUNTS = [1, 2, 3, 5, 8, 13, 21, 34, Infinity];
/** Audio before and after the words that were typed anew, in seconds; times in it are not believed. */
const MARGIN = 0.05;
const WIDE_MARGIN = 2;
/** Length of the first audio, in seconds. */
const START_SECONDS = 5;
/** The peer starts a process for each call. */
const PEER_EVERY = 10;

type Timed = SpokenRecording & Required<Pick<SpokenRecording, 'times'>>;

/** Measures the times of words that were typed anew in a paragraph whose other words have times. */
export async function run(): Promise<void> {
  const [recording] = speechData().filter((one): one is Timed => one.times !== undefined);
  if (!recording) {
    console.log('RXSCRIBE_SPEECH_DATA has no recording with times by hand');
    return;
  }
  await using aligner = createAligner();
  await start(aligner, recording);
  console.table(await byCount(aligner, recording));
  console.log('\nconditions, 5 words typed anew');
  console.table(await conditions(aligner, recording));
  console.log(`\nthe same by the aligner of whole recordings, one edit of ${PEER_EVERY}`);
  console.table(await peer(aligner, recording));
  console.log('\nother recordings: words typed anew next to the times with the whole text');
  console.table(await consistency(aligner));
}

/** Prints the time of the first call and, at once after it, of the first unknown word. */
async function start(aligner: Aligner, { samples, words, times }: Timed): Promise<void> {
  const to = times.findIndex(({ end }) => end > START_SECONDS);
  const audio = samples.subarray(0, times[to]!.start * RATE);
  const cold = await timed(() => aligner.alignSpoken!(audio, words.slice(0, to)));
  const unknown = await timed(() => aligner.alignSpoken!(audio, [...words.slice(0, to - 1), 'Dashwudian']));
  const warm = await timed(() => aligner.alignSpoken!(audio, words.slice(0, to)));
  console.log(
    `\n${START_SECONDS} s: first call ${cold.ms} ms, with the first unknown word ${unknown.ms} ms, later ${warm.ms} ms\n`,
  );
}

/** Aligns the words of an edit and returns their times. */
type AlignEdit = (audio: Int16Array, words: readonly string[]) => Promise<readonly AlignedWord[]>;

interface EditOptions {
  readonly align: AlignEdit;
  readonly margin?: number;
  readonly every?: number;
}

async function measured(recording: Timed, edits: readonly Edit[], options: EditOptions) {
  const { align, margin = MARGIN, every = 1 } = options;
  const tally = createTally();
  const times: number[] = [];
  for (const [index, edit] of edits.entries()) {
    if (index % every !== 0) continue;
    const { ms, result } = await timed(() => alignEdit(recording, edit, align, margin));
    times.push(ms);
    addTimes(tally, recording, edit, result);
  }
  return { ...tally.row(), 'p50 ms': quantile(times, 0.5), 'p95 ms': quantile(times, 0.95) };
}

/** Aligns with a margin and clips small margins off again. */
async function alignEdit(
  { samples, words }: SpokenRecording,
  { from, to, start, end }: Edit,
  align: AlignEdit,
  margin: number,
): Promise<readonly (FoundTime | undefined)[]> {
  const first = Math.round(Math.max(0, start - margin) * RATE);
  const last = Math.round((end + margin) * RATE);
  const found = await align(samples.subarray(first, last), words.slice(from, to));
  const clip = (time: number) => (margin > MARGIN ? time : Math.min(end, Math.max(start, time)));
  return found.map(({ startFrame, endFrame }) => {
    if (startFrame === undefined || endFrame === undefined) return undefined;
    return { start: clip((first + startFrame) / RATE), end: clip((first + endFrame) / RATE) };
  });
}

function addTimes(
  tally: Tally,
  { times }: Timed,
  { from }: Edit,
  found: readonly (FoundTime | undefined)[],
): void {
  for (const [index, time] of found.entries()) tally.add(time, times[from + index]!);
}

async function byCount(aligner: Aligner, recording: Timed) {
  const rows = [];
  for (const count of COUNTS) {
    const words = Math.min(count, recording.words.length);
    const edits = editsOf(recording.times, words, recording.samples.length / RATE);
    const row = await measured(recording, edits, { align: (...edit) => aligner.alignSpoken!(...edit) });
    rows.push({ 'words typed anew': count === Infinity ? 'all' : count, edits: edits.length, ...row });
  }
  return rows;
}

async function conditions(aligner: Aligner, recording: Timed) {
  const align: AlignEdit = (...edit) => aligner.alignSpoken!(...edit);
  const length = recording.samples.length / RATE;
  const edits = editsOf(recording.times, 5, length);
  const noisy = { ...recording, samples: withNoise(recording.samples) };
  const telephone = { ...recording, samples: overTelephone(recording.samples) };
  const aligned = await alignedTimes(aligner, recording);
  return [
    { condition: 'as recorded', ...(await measured(recording, edits, { align })) },
    {
      condition: 'other words timed by the aligner',
      ...(await measured(recording, editsOf(aligned, 5, length), { align })),
    },
    {
      condition: `${WIDE_MARGIN} s of other words around`,
      ...(await measured(recording, edits, { align, margin: WIDE_MARGIN })),
    },
    { condition: 'noise 20 dB below', ...(await measured(noisy, edits, { align })) },
    { condition: 'telephone', ...(await measured(telephone, edits, { align })) },
  ];
}

async function alignedTimes(aligner: Aligner, { samples, words, times }: Timed): Promise<Timed['times']> {
  const aligned = await aligner.align([samples], words);
  return aligned.map(({ startFrame, endFrame }, index) =>
    startFrame === undefined || endFrame === undefined
      ? times[index]!
      : { start: startFrame / RATE, end: endFrame / RATE },
  );
}

/** Adds white noise, the same each time, 20 dB below the speech. */
function withNoise(samples: Int16Array): Int16Array {
  const power = samples.reduce((sum, sample) => sum + sample * sample, 0) / samples.length;
  const most = Math.sqrt(3 * power) / 10;
  let state = 1;
  return samples.map(sample => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0;
    return Math.max(-32_768, Math.min(32_767, sample + most * (state / 2 ** 31 - 1)));
  });
}

async function peer(aligner: Aligner, recording: Timed) {
  const rows = [];
  for (const count of [1, 5, 21, Infinity]) {
    const words = Math.min(count, recording.words.length);
    const edits = editsOf(recording.times, words, recording.samples.length / RATE);
    const align: AlignEdit = (audio, text) => aligner.align([audio], text);
    rows.push({
      'words typed anew': count === Infinity ? 'all' : count,
      ...(await measured(recording, edits, { align, every: PEER_EVERY })),
    });
  }
  return rows;
}

/** Compares times of each word alone, and of halves, with those found with the whole text of its recording. */
async function consistency(aligner: Aligner) {
  const align: AlignEdit = (...edit) => aligner.alignSpoken!(...edit);
  const rows = [];
  for (const { name, samples, words, times } of speechData()) {
    if (times) continue;
    const whole = await align(samples, words);
    const known = whole.map(({ startFrame = 0, endFrame = 0 }) => ({
      start: startFrame / RATE,
      end: endFrame / RATE,
    }));
    const missing = whole.flatMap(({ value, startFrame }) => (startFrame === undefined ? [value] : []));
    const row =
      missing.length > 0
        ? {}
        : await measured(
            { samples, words, times: known },
            editsOf(known, Math.min(3, words.length), samples.length / RATE),
            { align },
          );
    rows.push({ name, 'not found in the whole text': missing.join(' '), ...row });
  }
  return rows;
}

async function timed<T>(action: () => Promise<T>): Promise<{ readonly ms: number; readonly result: T }> {
  const start = performance.now();
  const result = await action();
  return { ms: Math.round(performance.now() - start), result };
}
