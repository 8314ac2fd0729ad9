import { seeded } from '../../src/base/seeded.ts';
import { alignWords } from '../../src/replay/align/alignWords.ts';
import { rateInterval } from '../../src/replay/score/bootstrap.ts';
import { countErrors, tokenErrors } from '../../src/replay/score/errorCounts.ts';
import { characterErrors } from '../../src/replay/score/scoreTranscript.ts';
import { plainCost } from '../replay/align/plainAlignment.ts';
import { recognisedSpeech, type Utterance } from '../replay/score/generatedWords.ts';

/** Words that people speak in an hour. */
const WORDS = 9000;
const HOURS = [1, 3];
/** The whole matrix of more hours does not fit. */
const PLAIN_HOURS = 1;

/** Measures the scoring of hours of speech, one word of five wrong, beside the full matrix of costs. */
export async function run(): Promise<void> {
  const random = seeded(1);
  const rows = HOURS.flatMap(hours => {
    const speech = recognisedSpeech(random, hours * WORDS);
    const plain = hours <= PLAIN_HOURS;
    return [aligned(hours, speech, plain), lettered(hours, speech)];
  });
  console.table([...rows, resampled()]);
}

function aligned(hours: number, { reference, hypothesis }: Utterance, isCompared: boolean) {
  const [counts, seconds] = timed(() => countErrors(alignWords(reference, hypothesis)));
  const { errors } = tokenErrors(counts);
  const row = { what: `words of ${hours} h`, seconds, errors };
  if (!isCompared) return row;
  const [cost, plainSeconds] = timed(() => plainCost(reference, hypothesis));
  if (cost !== errors) throw new Error(`${errors} errors, and ${cost} by the whole matrix`);
  return {
    ...row,
    'whole matrix': plainSeconds,
    'times faster': Number((plainSeconds / seconds).toFixed(1)),
  };
}

function lettered(hours: number, { reference, hypothesis }: Utterance) {
  const [{ errors }, seconds] = timed(() => characterErrors(reference, hypothesis));
  return { what: `characters of ${hours} h`, seconds, errors };
}

function resampled() {
  const segments = Array.from({ length: (10 * WORDS) / 20 }, (_, index) => ({
    tokens: 20,
    errors: index % 5,
  }));
  const [, seconds] = timed(() => rateInterval(segments, 1));
  return { what: 'interval of 10 h', seconds };
}

/** Processor time, as others may use the machine. */
function timed<T>(work: () => T): readonly [T, number] {
  const before = process.cpuUsage();
  const result = work();
  const { user, system } = process.cpuUsage(before);
  return [result, Number(((user + system) / 1e6).toFixed(2))];
}
