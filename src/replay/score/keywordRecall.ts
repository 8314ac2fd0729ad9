import { alignTexts, type ScoreInput, wordsIn } from './alignTexts.ts';

export interface KeywordRecall {
  /** Of all of them; null when none was said. */
  readonly recall: number | null;
  readonly keywords: readonly { readonly keyword: string; readonly said: number; readonly heard: number }[];
}

/**
 * How many of the keywords that were said were heard. A keyword has one or more words and is compared by the rules; it
 * was said where the reference has its words in a row, counted from the left without overlap, and heard where all of
 * them are aligned to the same words.
 *
 * @param aligned where the texts are aligned already
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
  for (const step of aligned.steps) if (step.type === 'hit') hits.add(step.reference);
  const counts = keywords.map(keyword => {
    const phrase = input.rules.words(keyword).map(({ word }) => word);
    const starts = occurrences(phrase, said);
    const wasHeard = (start: number) => phrase.every((_, offset) => hits.has(start + offset));
    return { keyword, said: starts.length, heard: starts.filter(wasHeard).length };
  });
  return { recall: recallOf(counts), keywords: counts };
}

/** Where a phrase begins; it never begins within itself. */
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

/** Of several keywords together: null when none of them was said. */
export function recallOf(keywords: KeywordRecall['keywords']): number | null {
  const said = keywords.reduce((sum, keyword) => sum + keyword.said, 0);
  const heard = keywords.reduce((sum, keyword) => sum + keyword.heard, 0);
  return said > 0 ? heard / said : null;
}
