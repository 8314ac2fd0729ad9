import { readFileSync } from 'node:fs';
import type { AlignedWord } from '../../../src/engines/aligner.ts';
import { createAligner } from '../../../src/engines/alignment/aligner.ts';
import { childrenWith } from '../../helpers/childProcesses.ts';
import { cpuSecondsOf } from '../../helpers/cpuSeconds.ts';
import { joined, readSampleSpeech, readSampleText, silence } from '../../helpers/sampleSpeech.ts';
import { type SpokenRecording, speechData } from '../parts/speechData.ts';

const RATE = 16_000;
const LONG_SECONDS = 3600;
/** Distance from the start with the exact text within which a word counts as found. */
const NEAR_FRAMES = 0.3 * RATE;
const EVERY = 10;

/** Measures the distance to manual times, the words found in differing texts, and the cost of an hour. */
export async function run(): Promise<void> {
  const recordings = [...samples(), ...speechData()];
  console.log('\nalignment: starts of words next to times by hand');
  console.table(await againstHand(recordings));
  console.log(`\nalignment: one word of ${EVERY} of the text changed`);
  console.table(await differingTexts(recordings));
  console.log('\nalignment: recordings in a row up to an hour');
  console.table(await long(recordings));
}

async function againstHand(recordings: readonly SpokenRecording[]) {
  const errors: number[] = [];
  let [words, seconds, cpu] = [0, 0, 0];
  for (const { samples, words: text, times } of recordings) {
    if (!times) continue;
    let aligned: readonly AlignedWord[] = [];
    cpu += await cpuSecondsOf(async () => {
      aligned = await alignedWords(samples, text);
    });
    seconds += samples.length / RATE;
    words += text.length;
    for (const [index, { startFrame }] of aligned.entries()) {
      if (startFrame !== undefined) errors.push(Math.abs(startFrame / RATE - times[index]!.start));
    }
  }
  if (words === 0) return ['no recording has times by hand'];
  errors.sort((one, other) => one - other);
  const within = (limit: number) => percent(errors.filter(error => error <= limit).length, errors.length);
  return [
    {
      words,
      'found %': percent(errors.length, words),
      'mean ms': Math.round((1000 * sumOf(errors)) / errors.length),
      'median ms': Math.round(1000 * errors[errors.length >> 1]!),
      '50 ms %': within(0.05),
      '100 ms %': within(0.1),
      'CPU / real time, loading too': Math.round((100 * cpu) / seconds) / 100,
    },
  ];
}

async function differingTexts(recordings: readonly SpokenRecording[]) {
  const { samples, words } = inARow(recordings, 0);
  const truth = await alignedWords(samples, words);
  const rows: Record<string, string | number>[] = [];
  for (const [name, change] of Object.entries(CHANGES)) {
    const text = words.flatMap((word, index) =>
      index % EVERY === 5 ? change(word, words, index) : [{ word, index }],
    );
    const aligned = await alignedWords(
      samples,
      text.map(({ word }) => word),
    );
    const found = aligned.map(({ startFrame }) => startFrame !== undefined);
    const said = text.flatMap(({ index }, at) => (index === undefined ? [] : [{ at, index }]));
    const wrong = said.filter(({ at, index }) => {
      const [start, right] = [aligned[at]!.startFrame, truth[index]!.startFrame];
      return start !== undefined && right !== undefined && Math.abs(start - right) > NEAR_FRAMES;
    });
    const added = text.flatMap(({ index }, at) => (index === undefined ? [at] : []));
    rows.push({
      text: name,
      words: text.length,
      'found of those said %': percent(said.filter(({ at }) => found[at]).length, said.length),
      'elsewhere than with the very text %': percent(wrong.length, said.length),
      'added words with a time %': percent(added.filter(at => found[at]).length, added.length),
    });
  }
  return rows;
}

interface ChangedWord {
  readonly word: string;
  /** Index in the spoken words; absent for a word that is not spoken. */
  readonly index?: number;
}

type Change = (word: string, words: readonly string[], index: number) => readonly ChangedWord[];

const CHANGES: Readonly<Record<string, Change>> = {
  'as said': (word, _words, index) => [{ word, index }],
  'words left out': () => [],
  'words added': (word, words, index) => [{ word, index }, { word: words[(index * 7919) % words.length]! }],
  'words misspelt': (word, _words, index) => [{ word: misspelt(word), index }],
  'words replaced': (_word, words, index) => [{ word: words[(index * 7919) % words.length]! }],
};

/** Returns a word with two letters swapped, or its only letter doubled. */
function misspelt(word: string): string {
  const middle = word.length >> 1;
  return (
    word.slice(0, middle - 1) + (word[middle] ?? '') + (word[middle - 1] ?? word) + word.slice(middle + 1)
  );
}

async function long(recordings: readonly SpokenRecording[]) {
  const { samples, words } = inARow(recordings, LONG_SECONDS);
  let aligned: readonly AlignedWord[] = [];
  const peaks = new Map<number, number>();
  const watch = setInterval(() => notePeaks(peaks), 500);
  const cpu = await cpuSecondsOf(async () => {
    await using aligner = createAligner();
    aligned = await aligner.align(
      Array.from({ length: Math.ceil(samples.length / RATE) }, (_, second) =>
        samples.subarray(second * RATE, (second + 1) * RATE),
      ),
      words,
    );
  });
  clearInterval(watch);
  return [
    {
      minutes: Math.round(samples.length / RATE / 60),
      words: words.length,
      'found %': percent(aligned.filter(({ startFrame }) => startFrame !== undefined).length, words.length),
      'CPU / real time': Math.round((1000 * cpu * RATE) / samples.length) / 1000,
      'most memory of each process, MB': [...peaks.values()].join(', '),
    },
  ];
}

/** Records the peak memory of each process in MB, that of the alignment first. */
function notePeaks(peaks: Map<number, number>): void {
  for (const pid of [...childrenWith('alignment/child'), ...childrenWith('moonshine/child')]) {
    const kilobytes = /VmHWM:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1];
    // A process that is ending has none.
    if (kilobytes) peaks.set(pid, Math.round(Number(kilobytes) / 1000));
  }
}

async function alignedWords(samples: Int16Array, words: readonly string[]): Promise<readonly AlignedWord[]> {
  await using aligner = createAligner();
  return await aligner.align([samples], words);
}

/** Joins recordings with silence between them, repeated up to a duration. */
function inARow(recordings: readonly SpokenRecording[], leastSeconds: number): SpokenRecording {
  const parts: Int16Array[] = [];
  const words: string[] = [];
  let frames = 0;
  do {
    for (const recording of recordings) {
      parts.push(recording.samples, silence(0.5));
      frames += recording.samples.length + 0.5 * RATE;
      words.push(...recording.words);
    }
  } while (frames < leastSeconds * RATE);
  return { samples: joined(...parts), words };
}

function samples(): SpokenRecording[] {
  const name = 'sense-and-sensibility';
  return [{ samples: readSampleSpeech(name), words: readSampleText(name) }];
}

function percent(part: number, whole: number): number {
  return whole === 0 ? 0 : Math.round((1000 * part) / whole) / 10;
}

function sumOf(numbers: readonly number[]): number {
  return numbers.reduce((sum, number) => sum + number, 0);
}
