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
