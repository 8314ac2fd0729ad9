import { createMoonshineRecognizer } from '../../src/engines/moonshine/recognizer.ts';
import type { Recognizer } from '../../src/engines/recognizer.ts';
import { cpuSecondsOf } from '../helpers/cpuSeconds.ts';
import { piecesOf } from '../helpers/cutAudio.ts';
import { type SpeechRecording, samplesOf, speechRecordings } from '../helpers/speechRecordings.ts';
import { percentOf, ruledWords, scoreByRules, tallyErrors } from './parts/scoredText.ts';
import { soundDictionary } from './parts/soundDictionary.ts';

/** Likely vocabulary of the recordings; phrases that are not spoken neither help nor harm. */
const SPOKEN = [
  ...['John Dashwood', 'prudently', 'ill-disposed', 'cold-hearted', 'amiable'],
  ...['Quilter', 'apostle', 'thereunder', 'acoustic corpus', 'clubs'],
];
const UNSPOKEN = 6000;

/** Measures word errors and costs of recordings with and without phrases: a few, and thousands that are not spoken. */
export async function run(): Promise<void> {
  await using recognizer = createMoonshineRecognizer({ processes: 1 });
  await recognizer.warm();
  const recordings = speechRecordings();
  const holding = recordings.filter(holdsPhrase);
  const plain = await hearAll(recognizer, recordings, []);
  const listed = await hearAll(recognizer, recordings, SPOKEN);
  const rows = [
    { phrases: 'none', ...errorsIn(holding, plain) },
    { phrases: `${SPOKEN.length} that are said`, ...errorsIn(holding, listed) },
  ];
  console.log(`recordings that hold a phrase: ${holding.length} of ${recordings.length}`);
  console.table(rows);
  const lists = {
    [`${SPOKEN.length} that are said`]: SPOKEN,
    [`${UNSPOKEN} made-up names`]: madeUpNames(UNSPOKEN),
    [`${UNSPOKEN} English words`]: unspokenWords(recordings),
  };
  const costs: object[] = [{ phrases: 'none', ...figuresOf(recordings, plain, plain) }];
  for (const [phrases, list] of Object.entries(lists)) {
    const inspectMs = await millisecondsOf(() => recognizer.inspectPhrases(list));
    const heard = list === SPOKEN ? listed : await hearAll(recognizer, recordings, list);
    costs.push({ phrases, ...figuresOf(recordings, plain, heard), 'inspecting, ms': inspectMs });
  }
  console.table(costs);
}

interface Heard {
  /** Recognised words by recording. */
  readonly words: ReadonlyMap<SpeechRecording, readonly string[]>;
  readonly cpuSeconds: number;
}

async function hearAll(
  recognizer: Recognizer,
  recordings: readonly SpeechRecording[],
  phrases: readonly string[],
): Promise<Heard> {
  const words = new Map<SpeechRecording, readonly string[]>();
  const cpuSeconds = await cpuSecondsOf(async () => {
    for (const recording of recordings) {
      const finals = await recognizer.recognize(piecesOf(samplesOf(recording), 1600), { phrases });
      words.set(
        recording,
        finals.flatMap(final => final.words.map(({ value }) => value)),
      );
    }
  });
  return { words, cpuSeconds };
}

function errorsIn(recordings: readonly SpeechRecording[], { words }: Heard) {
  const tally = tallyErrors(recordings.map(one => scoreByRules(one.reference, words.get(one)!)));
  const found = recordings.map(one => {
    const [said, heard] = [one.reference, words.get(one)!].map(phrasesIn);
    return { said: said!.length, heard: said!.filter(phrase => heard!.includes(phrase)).length };
  });
  const sum = (field: 'said' | 'heard') => found.reduce((total, each) => total + each[field], 0);
  return {
    words: tally.words,
    errors: tally.errors,
    'errors %': percentOf(tally),
    'phrases heard': `${sum('heard')} of ${sum('said')}`,
  };
}

/** Returns the errors in all recordings, and the number of words that phrases changed. */
function figuresOf(recordings: readonly SpeechRecording[], plain: Heard, heard: Heard) {
  const tally = tallyErrors(recordings.map(one => scoreByRules(one.reference, heard.words.get(one)!)));
  const changed = tallyErrors(
    recordings.map(one => scoreByRules(plain.words.get(one)!, heard.words.get(one)!)),
  );
  const seconds = recordings.reduce((sum, one) => sum + samplesOf(one).length, 0) / 16_000;
  return {
    words: changed.words,
    changed: changed.errors,
    'changed %': percentOf(changed),
    'errors %': percentOf(tally),
    'CPU / s': Math.round((1000 * heard.cpuSeconds) / seconds) / 1000,
  };
}

function holdsPhrase({ reference }: SpeechRecording): boolean {
  return phrasesIn(reference).length > 0;
}

/** Returns the phrases that occur in words. */
function phrasesIn(words: readonly string[]): readonly string[] {
  const text = ` ${plainOf(words.join(' '))} `;
  return SPOKEN.filter(phrase => text.includes(` ${plainOf(phrase)} `));
}

function plainOf(text: string): string {
  return ruledWords(text)
    .map(({ word }) => word)
    .join(' ');
}

/** Returns names, each with a word outside the dictionary. */
function madeUpNames(count: number): readonly string[] {
  const parts = ['vel', 'dro', 'kan', 'mip', 'sor', 'tul', 'bra', 'fen', 'gol', 'hax'];
  return Array.from({ length: count }, (_, index) => {
    const digits = String(index).padStart(4, '0');
    return `${[...digits].map(digit => parts[Number(digit)]).join('')} Industries`;
  });
}

/** Returns words from the whole dictionary that no recording has. */
function unspokenWords(recordings: readonly SpeechRecording[]): readonly string[] {
  const said = new Set(recordings.flatMap(({ reference }) => reference));
  const words = [...soundDictionary().keys()].filter(word => /^[a-z]{3,}$/.test(word) && !said.has(word));
  const step = Math.floor(words.length / UNSPOKEN);
  return words.filter((_, index) => index % step === 0).slice(0, UNSPOKEN);
}

async function millisecondsOf(action: () => Promise<unknown>): Promise<number> {
  const start = performance.now();
  await action();
  return Math.round(performance.now() - start);
}
