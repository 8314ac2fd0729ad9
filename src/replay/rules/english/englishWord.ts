import type { RuledWord } from '../ruleSet.ts';

/** A word on its way through the rules of English. */
export interface EnglishWord extends RuledWord {
  /** Of a number that was written with a sign before it: what is said behind it, `dollars`. */
  readonly unit?: string;
}

/** Words in the place of one. */
export function inPlaceOf({ start, end }: EnglishWord, words: readonly string[]): readonly EnglishWord[] {
  return words.map(word => ({ word, start, end }));
}

/** A word in the place of several that follow each other. */
export function inPlaceOfAll(word: string, words: readonly EnglishWord[]): EnglishWord {
  const unit = words.find(({ unit }) => unit !== undefined)?.unit;
  return { word, start: words[0]!.start, end: words.at(-1)!.end, ...(unit !== undefined && { unit }) };
}
