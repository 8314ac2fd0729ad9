import { cheapestMoves, DELETION, INSERTION } from './cheapestMoves.ts';

/** One step from a reference to a hypothesis, with the indexes of the words in each. */
export type AlignmentStep =
  | { readonly type: 'hit'; readonly reference: number; readonly hypothesis: number }
  | { readonly type: 'substitution'; readonly reference: number; readonly hypothesis: number }
  | { readonly type: 'deletion'; readonly reference: number }
  | { readonly type: 'insertion'; readonly hypothesis: number };

/** The steps from a reference to a hypothesis, in order. */
export type Alignment = readonly AlignmentStep[];

/**
 * Aligns the words of a reference and a hypothesis at the least cost; equal strings are equal words.
 *
 * The alignment is exact and deterministic, with the least number of edits. Among several cheapest alignments it prefers the
 * same one as RapidFuzz 3.14.6, on which jiwer counts. The tests compare it with the alignments that jiwer publishes and the
 * counts of RapidFuzz over 2,003 generated pairs. For other versions and words only the cost is certain. Swapping the sides
 * keeps the cost, but may choose another alignment of the same cost.
 *
 * @example
 * alignWords(['the', 'small', 'dog'], ['the', 'dog'])
 * // hit 0 0, deletion 1, hit 2 1
 */
export function alignWords(reference: readonly string[], hypothesis: readonly string[]): Alignment {
  const numbers = new Map<string, number>();
  const numberOf = (word: string) => {
    const number = numbers.get(word) ?? numbers.size;
    numbers.set(word, number);
    return number;
  };
  return alignNumbers(Int32Array.from(reference, numberOf), Int32Array.from(hypothesis, numberOf));
}

function alignNumbers(reference: Int32Array, hypothesis: Int32Array): Alignment {
  const { head, tail } = commonEnds(reference, hypothesis);
  const moves = cheapestMoves(
    reference.subarray(head, reference.length - tail),
    hypothesis.subarray(head, hypothesis.length - tail),
  );
  const steps: AlignmentStep[] = [];
  let at = { reference: 0, hypothesis: 0 };
  const pair = () => {
    const type = reference[at.reference] === hypothesis[at.hypothesis] ? 'hit' : 'substitution';
    steps.push({ type, ...at });
    at = { reference: at.reference + 1, hypothesis: at.hypothesis + 1 };
  };
  for (let count = 0; count < head; count++) pair();
  for (const move of moves) {
    if (move === DELETION) steps.push({ type: 'deletion', reference: at.reference++ });
    else if (move === INSERTION) steps.push({ type: 'insertion', hypothesis: at.hypothesis++ });
    else pair();
  }
  for (let count = 0; count < tail; count++) pair();
  return steps;
}

/** Returns how many words both lists begin with, and how many of the others they end with. */
function commonEnds(left: Int32Array, right: Int32Array): { readonly head: number; readonly tail: number } {
  const shorter = Math.min(left.length, right.length);
  let head = 0;
  while (head < shorter && left[head] === right[head]) head++;
  let tail = 0;
  while (tail < shorter - head && left.at(-1 - tail) === right.at(-1 - tail)) tail++;
  return { head, tail };
}
