import type { Random } from '../../../src/base/seeded.ts';

export interface Utterance {
  readonly reference: readonly string[];
  readonly hypothesis: readonly string[];
}

/** Unrelated words of few kinds, with several alignments of the same cost. */
export function unrelatedWords(random: Random, count: number): readonly Utterance[] {
  return Array.from({ length: count }, (_, index) => {
    const kinds = 2 + (index % 9);
    const list = () =>
      Array.from({ length: Math.floor(random() * 60) }, () => `w${Math.floor(random() * kinds)}`);
    return { reference: list(), hypothesis: list() };
  });
}

/**
 * Speech with words as frequent as they are in it, and what a recogniser made of it.
 *
 * @param chance of a substitution, word by word; of a deletion and of an insertion it is half of it
 */
export function recognisedSpeech(random: Random, length: number, chance = 0.1): Utterance {
  const reference = Array.from({ length }, () => `word${Math.floor(3000 * random() ** 4)}`);
  const hypothesis = reference.flatMap(word => {
    const drawn = random();
    if (drawn < chance) return [`word${Math.floor(20 * random())}`];
    if (drawn < 1.5 * chance) return [];
    return drawn < 2 * chance ? [word, 'word0'] : [word];
  });
  return { reference, hypothesis };
}

/** Edits of one word, as recognisers make them. */
const EDITS: readonly ((word: string, random: Random) => readonly string[])[] = [
  (_, random) => [`word${Math.floor(20 * random())}`],
  () => [],
  (word, random) => [word, `word${Math.floor(20 * random())}`],
  word => [word, word],
  word => [word.toUpperCase()],
  word => [`${word}-${word}`],
  word => word.split('-'),
];

/** Pairs of texts with random edits: other words, repeated ones, case and hyphens, and sides without any words. */
export function editedPairs(random: Random, count: number): readonly Utterance[] {
  const wordOf = () => `word${Math.floor(300 * random() ** 3)}${random() < 0.1 ? '-part' : ''}`;
  return Array.from({ length: count }, (_, index) => {
    const reference = Array.from({ length: index % 10 === 0 ? 0 : Math.floor(random() * 80) }, wordOf);
    const share = random() * 0.6;
    const edited = reference.flatMap(word =>
      random() < share ? (EDITS[Math.floor(random() * EDITS.length)]?.(word, random) ?? []) : [word],
    );
    const unrelated = index % 20 === 0 ? [] : Array.from({ length: Math.floor(random() * 5) }, wordOf);
    return { reference, hypothesis: index % 10 === 1 ? [] : [...edited, ...unrelated] };
  });
}
