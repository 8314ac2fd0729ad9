import { alignTexts, type ScoreInput, wordsIn } from './alignTexts.ts';

export interface KeywordRecall {
  /** Recall of all keywords together, 0 to 1; null when none was said. */
  readonly recall: number | null;
  readonly keywords: readonly { readonly keyword: string; readonly said: number; readonly heard: number }[];
}

/**
 * Returns the share of spoken keywords that were recognized. A keyword has one or more words, which the rules
 * normalize. It counts as said where the reference has its words in a row, from the left and without overlap, and as
 * heard where all of them are aligned to equal words.
 *
 * @param aligned the aligned texts, if they are known already
 * @example
 * keywordRecall(['New York'], { reference, transcript, rules }).recall // 0.5
 */
export function keywordRecall(
  keywords: readonly string[],
  input: ScoreInput,
  aligned = alignTexts(input),
): KeywordRecall {
  const said = wordsIn(aligned.said);
  const hits = new Set<number>();
  for (const step of aligned.steps) {
    if (step.type === 'hit') hits.add(step.reference);
  }
  const counts = keywords.map(keyword => {
    const phrase = input.rules.words(keyword).map(({ word }) => word);
    const starts = occurrences(phrase, said);
    const wasHeard = (start: number) => phrase.every((_, offset) => hits.has(start + offset));
    return { keyword, said: starts.length, heard: starts.filter(wasHeard).length };
  });
  return { recall: recallOf(counts), keywords: counts };
}

/** Returns the indexes at which a phrase begins; occurrences do not overlap. */
function occurrences(phrase: readonly string[], words: readonly string[]): readonly number[] {
  const starts: number[] = [];
  if (phrase.length === 0) return starts;
  for (let start = 0; start + phrase.length <= words.length; start++) {
    if (!phrase.every((word, offset) => words[start + offset] === word)) continue;
    starts.push(start);
    start += phrase.length - 1;
  }
  return starts;
}

/** Returns the recall of several keywords together; null when none of them was said. */
export function recallOf(keywords: KeywordRecall['keywords']): number | null {
  const said = keywords.reduce((sum, keyword) => sum + keyword.said, 0);
  const heard = keywords.reduce((sum, keyword) => sum + keyword.heard, 0);
  return said > 0 ? heard / said : null;
}
