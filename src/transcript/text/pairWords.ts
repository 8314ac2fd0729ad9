import { longestRise } from './longestRise.ts';

/** Maximum number of cells in one comparison table: about 20 ms of work, and as many bytes. */
const MAX_CELLS = 4_000_000;
/** Lengths of word sequences that mark the same place when they occur once in both lists. */
const LANDMARK_WORDS = [4, 3, 2, 1] as const;

/**
 * Pairs the words that two lists have in common, in order, by the least number of edits. Long lists are first cut at rare word
 * sequences that both share, to bound the time; where they share none, nothing is paired.
 *
 * @example
 * pairWords(['the', 'small', 'dog'], ['a', 'small', 'dog']) // [{ left: 1, right: 1 }, { left: 2, right: 2 }]
 */
export function pairWords(left: readonly string[], right: readonly string[]): readonly WordMatch[] {
  const numbers = new Map<string, number>();
  const numbered = (words: readonly string[]) =>
    words.map(word => {
      const number = numbers.get(word) ?? numbers.size;
      numbers.set(word, number);
      return number;
    });
  return [...matches(numbered(left), numbered(right), { left: 0, right: 0 })];
}

/** Yields the matches of parts of two lists that begin at `origin`. */
function* matches(
  left: readonly number[],
  right: readonly number[],
  origin: WordMatch,
): Generator<WordMatch> {
  const moved = (match: WordMatch) => ({
    left: origin.left + match.left,
    right: origin.right + match.right,
  });
  if (left.length * right.length <= MAX_CELLS) {
    yield* editMatches(left, right).map(moved);
    return;
  }
  let from: WordMatch = { left: 0, right: 0 };
  for (const match of landmarks(left, right)) {
    const before = left.slice(from.left, match.left);
    const after = right.slice(from.right, match.right);
    yield* matches(before, after, moved(from));
    yield moved(match);
    from = { left: match.left + 1, right: match.right + 1 };
  }
  // Without a landmark there is nothing to cut at.
  if (from.left > 0) yield* matches(left.slice(from.left), right.slice(from.right), moved(from));
}

/** Returns the starts of sequences that occur once in both lists: the largest set that is in order. */
function landmarks(left: readonly number[], right: readonly number[]): readonly WordMatch[] {
  for (const length of LANDMARK_WORDS) {
    const places = uniqueSequences(right, length);
    const found: WordMatch[] = [];
    for (const [sequence, at] of uniqueSequences(left, length)) {
      const right = places.get(sequence);
      if (right !== undefined) found.push({ left: at, right });
    }
    const rise = longestRise(found.map(match => match.right));
    if (rise.length > 0) return rise.map(index => found[index]!);
  }
  return [];
}

/** Returns the positions of word sequences that occur exactly once, in order. */
function uniqueSequences(words: readonly number[], length: number): Map<string, number> {
  const places = new Map<string, number>();
  const repeated = new Set<string>();
  for (let at = 0; at + length <= words.length; at++) {
    const sequence = words.slice(at, at + length).join(' ');
    if (places.has(sequence)) repeated.add(sequence);
    else places.set(sequence, at);
  }
  for (const sequence of repeated) places.delete(sequence);
  return places;
}

/** A word that occurs in two lists, by its indexes. */
export interface WordMatch {
  readonly left: number;
  readonly right: number;
}

const SUBSTITUTION = 0;
const DELETION = 1;
const INSERTION = 2;

/**
 * Returns the words that stay, in order, when one list is turned into the other by the least number of edits (Levenshtein
 * distance, all edits cost 1); among equal ways, by the one that keeps most words. Equal words must have equal numbers. Needs
 * one byte for each pair of words.
 */
export function editMatches(left: readonly number[], right: readonly number[]): readonly WordMatch[] {
  const columns = right.length + 1;
  // One edit less outweighs any number of kept words.
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
