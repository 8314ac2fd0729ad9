import { learnLetterToSound } from '../../src/engines/pronunciation/letterToSound.ts';
import { soundDictionary } from './parts/soundDictionary.ts';

/** One word in so many is held out. */
const KEPT_EVERY = 50;

/**
 * Measures the pronunciations of words held out from the dictionary, and the cost of learning and
 * pronouncing.
 */
export async function run(): Promise<void> {
  const all = soundDictionary();
  const plain = [...all.keys()].filter(word => /^[a-z']{2,}$/.test(word));
  const kept = new Set(plain.filter((_, index) => index % KEPT_EVERY === 0));
  const taught = new Map([...all].filter(([word]) => !kept.has(word)));

  const start = performance.now();
  const { pronounce } = learnLetterToSound(taught);
  const learned = performance.now();
  const ranks = [...kept].map(word => {
    const guesses = pronounce(word, 3).map(({ phones }) => phones);
    return guesses.findIndex(guess => all.get(word)!.includes(guess));
  });
  const said = performance.now();

  const share = (isRight: (rank: number) => boolean) =>
    Math.round((1000 * ranks.filter(isRight).length) / ranks.length) / 10;
  console.table({
    'words learned': taught.size,
    'words kept back': kept.size,
    'right at first, %': share(rank => rank === 0),
    'right among three, %': share(rank => rank >= 0),
    'learning, s': Math.round((learned - start) / 100) / 10,
    'a word, ms': Math.round((100 * (said - learned)) / kept.size) / 100,
  });
}
