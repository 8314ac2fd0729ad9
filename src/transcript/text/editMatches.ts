/** One word in two lists; indexes. */
export interface WordMatch {
  readonly left: number;
  readonly right: number;
}

const SUBSTITUTION = 0;
const DELETION = 1;
const INSERTION = 2;

/**
 * Words that stay when one list is made of the other by the least number of edits (Levenshtein, all edits cost 1), and
 * of those ways by the one in which most stay; in order. Words are numbers, equal ones for equal words. Takes a byte for
 * each pair of words.
 */
export function editMatches(left: readonly number[], right: readonly number[]): readonly WordMatch[] {
  const columns = right.length + 1;
  // One edit less is worth more than any number of words that stay.
  const edit = Math.min(left.length, right.length) + 1;
  const steps = new Uint8Array((left.length + 1) * columns).fill(INSERTION, 0, columns);
  let above = Int32Array.from({ length: columns }, (_, column) => column * edit);
  let row = new Int32Array(columns);
  for (let line = 1; line <= left.length; line++) {
    row[0] = line * edit;
    steps[line * columns] = DELETION;
    for (let column = 1; column < columns; column++) {
      const diagonal = above[column - 1]! + (left[line - 1] === right[column - 1] ? -1 : edit);
      const up = above[column]! + edit;
      const side = row[column - 1]! + edit;
      const least = Math.min(diagonal, up, side);
      row[column] = least;
      steps[line * columns + column] =
        least === diagonal ? SUBSTITUTION : least === up ? DELETION : INSERTION;
    }
    [above, row] = [row, above];
  }
  return trace(steps, left, right);
}

function trace(steps: Uint8Array, left: readonly number[], right: readonly number[]): readonly WordMatch[] {
  const matches: WordMatch[] = [];
  let line = left.length;
  let column = right.length;
  while (line > 0 || column > 0) {
    const step = steps[line * (right.length + 1) + column];
    if (step !== INSERTION) line--;
    if (step !== DELETION) column--;
    if (step === SUBSTITUTION && left[line] === right[column]) matches.push({ left: line, right: column });
  }
  return matches.reverse();
}
