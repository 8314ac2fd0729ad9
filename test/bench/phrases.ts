import { createPocketSphinxRecognizer } from '../../src/engines/pocketsphinx/recognizer.ts';
import type { Recognizer, RecognizerResult } from '../../src/engines/recognizer.ts';
import { scoreWords } from '../../src/replay/score/scoreWords.ts';
import { cpuSecondsOf } from '../helpers/cpuSeconds.ts';
import { readSampleSpeech, readSampleText } from '../helpers/sampleSpeech.ts';

const SAMPLE = 'sense-and-sensibility';
/** What of it is misheard and might stand in a vocabulary. */
const SPOKEN = ['John Dashwood', 'prudently', 'Ill-Disposed', 'cold-hearted'];

/** Errors and costs of sessions with phrases next to those without: few, and thousands that nobody says. */
export async function run(): Promise<void> {
  await using recognizer = createPocketSphinxRecognizer({ spareDecoders: 1 });
  const vocabularies: Record<string, readonly string[]> = {
    none: [],
    'those that are said': SPOKEN,
    '6000 that are not said': foreign(6000),
    both: [...SPOKEN, ...foreign(6000)],
  };
  const rows = [];
  for (const [phrases, list] of Object.entries(vocabularies)) {
    const inspectMs = await millisecondsOf(() => recognizer.inspectPhrases(list));
    for (const [way, hear] of Object.entries({ live, whole })) {
      rows.push({ phrases, way, 'inspecting, ms': inspectMs, ...(await measure(recognizer, list, hear)) });
    }
  }
  console.table(rows);
}

type Hear = (recognizer: Recognizer, phrases: readonly string[]) => Promise<readonly RecognizerResult[]>;

async function measure(recognizer: Recognizer, phrases: readonly string[], hear: Hear) {
  await recognizer.warm();
  const openMs = await millisecondsOf(async () => (await recognizer.open({ phrases })).close());
  let finals: readonly RecognizerResult[] = [];
  const loading = await cpuSecondsOf(async () => (await recognizer.open()).close());
  const cpuSeconds = await cpuSecondsOf(async () => {
    finals = await hear(recognizer, phrases);
  });
  const words = finals.flatMap(final => final.words.map(({ value }) => (value === 'mr' ? 'mister' : value)));
  const { wer } = scoreWords(readSampleText(SAMPLE), words);
  const seconds = readSampleSpeech(SAMPLE).length / 16_000;
  return {
    'opening, ms': openMs,
    'WER %': Math.round(1000 * wer) / 10,
    'CPU / real time': Math.round((1000 * (cpuSeconds - loading)) / seconds) / 1000,
  };
}

async function live(
  recognizer: Recognizer,
  phrases: readonly string[],
): Promise<readonly RecognizerResult[]> {
  await using session = await recognizer.open({ phrases });
  const finals: RecognizerResult[] = [];
  session.results$.subscribe(result => void (result.type === 'final' && finals.push(result)));
  await session.write(readSampleSpeech(SAMPLE));
  await session.finish();
  return finals;
}

async function whole(
  recognizer: Recognizer,
  phrases: readonly string[],
): Promise<readonly RecognizerResult[]> {
  return recognizer.recognize([readSampleSpeech(SAMPLE)], { phrases });
}

async function millisecondsOf(action: () => Promise<unknown>): Promise<number> {
  const start = performance.now();
  await action();
  return Math.round(performance.now() - start);
}

/** Names, each with a word that no dictionary has. */
function foreign(count: number): readonly string[] {
  const parts = ['vel', 'dro', 'kan', 'mip', 'sor', 'tul', 'bra', 'fen', 'gol', 'hax'];
  return Array.from({ length: count }, (_, index) => {
    const digits = String(index).padStart(4, '0');
    return `${[...digits].map(digit => parts[Number(digit)]).join('')} Industries`;
  });
}
