import type { RuledWord } from '../ruleSet.ts';

/** A word between the rules of English. */
export interface EnglishWord extends RuledWord {
  /** Currency word of a number that was written with a sign before it, such as `dollars`. */
  readonly unit?: string;
}

/** Returns words at the place of one word. */
export function inPlaceOf({ start, end }: EnglishWord, words: readonly string[]): readonly EnglishWord[] {
  return words.map(word => ({ word, start, end }));
}

/** Returns a word at the place of several consecutive words. */
export function inPlaceOfAll(word: string, words: readonly EnglishWord[]): EnglishWord {
  const unit = words.find(({ unit }) => unit !== undefined)?.unit;
  return { word, start: words[0]!.start, end: words.at(-1)!.end, unit };
}
