import { ordinalWords, SCALES, SMALL_WORDS, TENS_WORDS } from '../../phrases/numberWords.ts';

/** A number in words, and the number of words. */
export interface SaidNumber {
  readonly value: number;
  readonly count: number;
}

/** Words below twenty. */
export const SMALL: ReadonlyMap<string, number> = new Map(SMALL_WORDS.map((word, value) => [word, value]));
export const TENS: ReadonlyMap<string, number> = new Map(
  TENS_WORDS.map((word, index) => [word, (index + 2) * 10]),
);
/** Ordinals of one to nineteen. */
export const ORDINALS: ReadonlyMap<string, number> = new Map(
  SMALL_WORDS.slice(1).map((_, index) => [ordinalWords(String(index + 1)).join(' '), index + 1]),
);

/** Returns whether a word is "hundred", "thousand" or larger: "and" after it continues the number. */
export function isLarge(word: string | undefined): boolean {
  return word !== undefined && (SCALES.has(word) || word === 'hundred');
}

export function isNumberWord(word: string | undefined): boolean {
  return word !== undefined && (SMALL.has(word) || TENS.has(word) || isLarge(word));
}

/** Returns a number below a hundred: "seven", "twelve", "ninety", "forty two". */
export function belowHundred(words: readonly string[], at: number): SaidNumber | undefined {
  const small = SMALL.get(words[at] ?? '');
  if (small !== undefined) return { value: small, count: 1 };
  const tens = TENS.get(words[at] ?? '');
  if (tens === undefined) return undefined;
  const ones = SMALL.get(words[at + 1] ?? '') ?? 0;
  return ones > 0 && ones < 10 ? { value: tens + ones, count: 2 } : { value: tens, count: 1 };
}

/**
 * Returns the longest number: "two thousand and seven", "five hundred sixty", "one million two hundred
 * thousand".
 */
export function cardinal(words: readonly string[], at: number): SaidNumber | undefined {
  let total: SaidNumber | undefined;
  let lowest = Infinity;
  for (;;) {
    const from = at + (total?.count ?? 0);
    const link = total && words[from] === 'and' ? 1 : 0;
    const part = belowThousand(words, from + link);
    if (!part || (total && part.value === 0)) return total;
    const scale = SCALES.get(words[from + link + part.count] ?? '');
    const value = part.value * (scale ?? 1);
    // "Two hundred and five hundred" are two numbers, and so are "five six".
    if (value >= lowest || (link === 1 && part.value >= 100)) return total;
    const count = part.count + (scale ? 1 : 0) + link;
    total = { value: (total?.value ?? 0) + value, count: (total?.count ?? 0) + count };
    lowest = scale ?? 0;
  }
}

function belowThousand(words: readonly string[], at: number): SaidNumber | undefined {
  const first = belowHundred(words, at);
  // "Nineteen hundred" is a year, or a number below ten thousand.
  if (!first || words[at + first.count] !== 'hundred' || first.value === 0) return first;
  if (first.value % 10 === 0) return first;
  const hundreds = { value: first.value * 100, count: first.count + 1 };
  const link = words[at + hundreds.count] === 'and' ? 1 : 0;
  const rest = belowHundred(words, at + hundreds.count + link);
  const behind = rest && words[at + hundreds.count + link + rest.count];
  if (!rest || rest.value === 0 || behind === 'hundred') return hundreds;
  return { value: hundreds.value + rest.value, count: hundreds.count + link + rest.count };
}
