/** What it takes to turn a reference into a hypothesis, in words. */
export interface WordScore {
  /** Words of the reference. */
  readonly words: number;
  readonly hits: number;
  readonly substitutions: number;
  readonly deletions: number;
  readonly insertions: number;
  /**
   * Word error rate: (substitutions + deletions + insertions) / words of the reference. It may exceed 1. With an
   * empty reference it is 0 when the hypothesis is empty too, else 1.
   */
  readonly wer: number;
}

/** The words of a text for scoring: lower case, without punctuation; apostrophes inside a word stay. */
export function wordsOf(text: string): readonly string[] {
  return (
    text
      .toLowerCase()
      .replaceAll('\u2019', "'")
      .match(/[\p{L}\p{N}]+(?:'[\p{L}\p{N}]+)*/gu) ?? []
  );
}

/** Counts along a cheapest path to one cell of the edit matrix. */
interface Path {
  readonly hits: number;
  readonly substitutions: number;
  readonly deletions: number;
  readonly insertions: number;
}

const errorsOf = (path: Path) => path.substitutions + path.deletions + path.insertions;

/**
 * Scores recognised words against a reference by the least number of edits (Levenshtein, all edits cost 1; among
 * equals, a substitution goes before a deletion and a deletion before an insertion).
 *
 * @example
 * scoreWords(wordsOf('the small dog'), wordsOf('The dog.')).wer // 0.333…
 */
export function scoreWords(reference: readonly string[], hypothesis: readonly string[]): WordScore {
  let row: Path[] = [{ hits: 0, substitutions: 0, deletions: 0, insertions: 0 }];
  for (const _ of hypothesis) {
    const left = row.at(-1)!;
    row.push({ ...left, insertions: left.insertions + 1 });
  }
  for (const word of reference) row = nextRow(row, word, hypothesis);
  const path = row.at(-1)!;
  const words = reference.length;
  const errors = errorsOf(path);
  return { words, ...path, wer: words > 0 ? errors / words : Math.min(errors, 1) };
}

function nextRow(above: readonly Path[], word: string, hypothesis: readonly string[]): Path[] {
  const row: Path[] = [{ ...above[0]!, deletions: above[0]!.deletions + 1 }];
  for (let column = 1; column < above.length; column++) {
    const diagonal = above[column - 1]!;
    if (hypothesis[column - 1] === word) {
      row.push({ ...diagonal, hits: diagonal.hits + 1 });
      continue;
    }
    const up = above[column]!;
    const left = row[column - 1]!;
    const least = Math.min(errorsOf(diagonal), errorsOf(up), errorsOf(left));
    if (errorsOf(diagonal) === least) row.push({ ...diagonal, substitutions: diagonal.substitutions + 1 });
    else if (errorsOf(up) === least) row.push({ ...up, deletions: up.deletions + 1 });
    else row.push({ ...left, insertions: left.insertions + 1 });
  }
  return row;
}
