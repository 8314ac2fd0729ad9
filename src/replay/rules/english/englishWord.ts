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

/** Consecutive words, and the one word that is written for them; without `text` they stay. */
export interface WordRun {
  readonly text?: string;
  readonly count: number;
}

/** Joins runs of words. `runAt` returns the run at a position; undefined for a word that stays. */
export function joinRuns(
  words: readonly EnglishWord[],
  runAt: (at: number) => WordRun | undefined,
): readonly EnglishWord[] {
  const joined: EnglishWord[] = [];
  for (let at = 0; at < words.length; ) {
    const { text: word, count } = runAt(at) ?? { count: 1 };
    const run = words.slice(at, at + count);
    if (word === undefined) for (const each of run) joined.push(each);
    else {
      const unit = run.find(({ unit }) => unit !== undefined)?.unit;
      joined.push({ word, start: run[0]!.start, end: run.at(-1)!.end, unit });
    }
    at += count;
  }
  return joined;
}
