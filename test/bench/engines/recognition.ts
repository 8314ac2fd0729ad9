import { createMoonshineRecognizer } from '../../../src/engines/moonshine/recognizer.ts';
import type { RecognizedWord, Recognizer } from '../../../src/engines/recognizer.ts';
import { cpuSecondsOf } from '../../helpers/cpuSeconds.ts';
import { piecesOf } from '../../helpers/cutAudio.ts';
import { samplesOf, speechRecordings } from '../../helpers/speechRecordings.ts';
import { rounded } from '../parts/rounded.ts';
import { percentOf, scoreByRules, tallyErrors } from '../parts/scoredText.ts';
import { areaUnderCurve, type JudgedWord, judgeWords } from './parts/confidenceCurve.ts';
import { overTelephone } from './parts/overTelephone.ts';
import { playStream } from './parts/playStream.ts';
import { RUNTIMES, type RuntimeName, runtimeFloor } from './parts/runtimeFloor.ts';

/** Groups whose names begin with this are reported separately. */
const READ = 'read';
const DIGITS = 'digits';
const TELEPHONE = 'read, telephone';

interface Recording {
  readonly set: string;
  readonly samples: Int16Array;
  readonly reference: readonly string[];
}

interface Heard extends Recording {
  readonly words: readonly RecognizedWord[];
}

/** `live` is fed in real time and has partials; `whole` has finals only. */
type Way = 'live' | 'whole';

interface Hearing {
  readonly name: string;
  readonly heard: readonly Heard[];
  readonly cpuSeconds: number;
}

/**
 * Measures word errors, confidences and processor time of the default recogniser, next to ONNX Runtime alone.
 */
export async function run(): Promise<void> {
  const direct = speechRecordings().map(each => ({ ...each, samples: samplesOf(each) }));
  const telephone = direct
    .filter(({ set }) => set === READ)
    .map(each => ({ ...each, set: TELEPHONE, samples: overTelephone(each.samples) }));
  const seconds = direct.reduce((sum, { samples }) => sum + samples.length, 0) / 16_000;
  const hearings: Hearing[] = [];
  const costs = [];
  for (const runtime of RUNTIMES) {
    const { loading, live, whole, all } = await hearAll(runtime, direct, telephone);
    hearings.push(...all);
    const floor = await runtimeFloor(
      runtime,
      direct.map(({ samples }) => samples),
    );
    costs.push({
      runtime,
      'whole, CPU / s': rounded(whole / seconds),
      'live, CPU / s': rounded(live / seconds),
      'floor: ONNX Runtime, once': rounded(floor / seconds),
      'whole / floor': rounded(whole / floor),
      'live / floor': rounded(live / floor),
      'loading, CPU s': rounded(loading),
    });
  }
  reportWords(hearings);
  console.table(hearings.map(confidenceRow));
  console.table(costs);
}

async function hearAll(runtime: RuntimeName, direct: readonly Recording[], telephone: readonly Recording[]) {
  await using recognizer = createMoonshineRecognizer({ runtime, processes: 1 });
  const loading = await cpuSecondsOf(() => recognizer.warm());
  const hearBy = async (way: Way): Promise<Hearing> => {
    const { heard, cpuSeconds } = await hear(recognizer, way, direct);
    const narrow = await hear(recognizer, way, telephone);
    return { name: `${way}, ${runtime}`, heard: [...heard, ...narrow.heard], cpuSeconds };
  };
  const [whole, live] = [await hearBy('whole'), await hearBy('live')];
  return { loading, whole: whole.cpuSeconds, live: live.cpuSeconds, all: [live, whole] };
}

async function hear(recognizer: Recognizer, way: Way, recordings: readonly Recording[]) {
  const heard: Heard[] = [];
  const cpuSeconds = await cpuSecondsOf(async () => {
    for (const recording of recordings) {
      const words = await wordsOf(recognizer, way, recording.samples);
      heard.push({ ...recording, words });
    }
  });
  return { heard, cpuSeconds };
}

async function wordsOf(
  recognizer: Recognizer,
  way: Way,
  samples: Int16Array,
): Promise<readonly RecognizedWord[]> {
  if (way === 'whole') {
    return (await recognizer.recognize(piecesOf(samples, 1600))).flatMap(({ words }) => words);
  }
  const arrivals = await playStream(await recognizer.open(), samples);
  return arrivals.flatMap(({ result }) => (result.type === 'final' ? result.words : []));
}

/** Prints the word errors of each set and of all but the simulated telephone; for digits, the text. */
function reportWords(hearings: readonly Hearing[]): void {
  const sets = [...new Set(hearings[0]!.heard.map(({ set }) => set))];
  const direct = sets.filter(set => set !== TELEPHONE);
  // The rules join a run of digits to one word: its errors can exceed the words.
  const groups = [
    ...sets.map(set => ({ set, of: [set] })),
    { set: 'all', of: direct },
    { set: 'all but digits', of: direct.filter(set => set !== DIGITS) },
  ];
  const rows = groups.map(({ set, of }) => {
    const isOf = (each: Heard) => of.includes(each.set);
    const tallies = hearings.map(({ name, heard }) => {
      const scores = heard
        .filter(isOf)
        .map(({ reference, words }) => scoreByRules(reference, valuesOf(words)));
      return [name, tallyErrors(scores)] as const;
    });
    const errors = tallies.map(([name, tally]) => [`${name}, errors %`, percentOf(tally)]);
    return { set, words: tallies[0]![1].words, ...Object.fromEntries(errors) };
  });
  console.table(rows);
  for (const { name, heard } of hearings) {
    for (const { set, reference, words } of heard) {
      if (set !== DIGITS) continue;
      const written = words.map(word => word.written ?? word.value).filter(text => text !== '');
      console.log(`${name}: said “${reference.join(' ')}”, heard “${written.join(' ')}”`);
    }
  }
}

function confidenceRow({ name, heard }: Hearing) {
  const judged: readonly JudgedWord[] = heard
    .filter(({ set }) => set !== DIGITS && set !== TELEPHONE)
    .flatMap(({ reference, words }) => judgeWords(reference, words));
  const wrong = judged.filter(({ isRight }) => !isRight).length;
  return { confidence: name, words: judged.length, wrong, AUC: rounded(areaUnderCurve(judged)) };
}

function valuesOf(words: readonly RecognizedWord[]): readonly string[] {
  return words.map(({ value }) => value);
}
