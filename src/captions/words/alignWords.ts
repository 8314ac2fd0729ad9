import { commonPrefixLength } from '../../transcript/text/tokens.ts';
import { type HypothesisWord, keyOf } from './captionWord.ts';

/** A shown word, a word of the hypothesis, or one of each at the same place. */
export interface WordPair<Shown> {
  readonly shown?: Shown;
  readonly heard?: HypothesisWord;
}

export interface WordAlignment<Shown> {
  /** The shown words, and the words of the hypothesis among them, in order. */
  readonly pairs: readonly WordPair<Shown>[];
  /** Number of words of the hypothesis that correspond to shown words; later ones are new. */
  readonly heardWords: number;
}

export interface AlignOptions {
  /** Words of the previous hypothesis after the shown ones; they help to find the end of the shown words. */
  readonly pending?: readonly HypothesisWord[];
  /** True when the hypothesis may end before the shown words do. Default false. */
  readonly mayEndEarly?: boolean;
}

/**
 * Aligns shown words with a new hypothesis, by the least number of edits. The hypothesis may continue after the shown words.
 */
export function alignWords<Shown extends HypothesisWord>(
  shown: readonly Shown[],
  heard: readonly HypothesisWord[],
  { pending = [], mayEndEarly = false }: AlignOptions = {},
): WordAlignment<Shown> {
  const same = commonPrefixLength(shown.map(keyOf), heard.map(keyOf));
  const start = shown.slice(0, same).map((word, index) => ({ shown: word, heard: heard[index] }));
  if (same === shown.length) return { pairs: start, heardWords: same };
  const left: readonly { readonly key: string; readonly shown?: Shown }[] = [
    ...shown.slice(same).map(word => ({ key: word.key, shown: word })),
    ...pending.map(({ key }) => ({ key })),
  ];
  const right = heard.slice(same);
  const keys = { left: left.map(({ key }) => key), right: right.map(keyOf) };
  const costs = editCosts(keys);
  const end = cheapestEnd(costs, mayEndEarly);
  const aligned = trace(costs, keys, end).map(({ row = -1, column = -1 }): WordPair<Shown> => {
    return { shown: left[row]?.shown, heard: right[column] };
  });
  const pairs: readonly WordPair<Shown>[] = [
    ...start,
    ...aligned,
    ...shown.slice(same + end.row).map(word => ({ shown: word })),
  ];
  const ofShown = pairs.slice(0, pairs.findLastIndex(pair => pair.shown) + 1);
  return { pairs: ofShown, heardWords: ofShown.filter(pair => pair.heard).length };
}

/** Costs of the edits between the first words of two lists, by the numbers of words. */
type Costs = readonly (readonly number[])[];

interface Cell {
  readonly row: number;
  readonly column: number;
}

/** Returns the cost of a cell; infinite outside of the table. */
function costAt(costs: Costs, row: number, column: number): number {
  return costs[row]?.[column] ?? Number.POSITIVE_INFINITY;
}

/** The words of both lists. */
interface Keys {
  readonly left: readonly string[];
  readonly right: readonly string[];
}

function editCosts({ left, right }: Keys): Costs {
  const costs = [Array.from({ length: right.length + 1 }, (_, column) => column)];
  for (const [row, word] of left.entries()) {
    const next = [row + 1];
    costs.push(next);
    for (const [column, other] of right.entries()) {
      const replaced = costAt(costs, row, column) + (other === word ? 0 : 1);
      const removed = costAt(costs, row, column + 1) + 1;
      next.push(Math.min(replaced, removed, costAt(costs, row + 1, column) + 1));
    }
  }
  return costs;
}

/** Returns the cell with the least cost at the end of either list; among equals the one that uses most words, then most shown ones. */
function cheapestEnd(costs: Costs, mayEndEarly: boolean): Cell {
  const [last, columns] = [costs.length - 1, costs[0]?.length ?? 0];
  const ends = Array.from({ length: columns }, (_, column) => ({ row: last, column }));
  if (mayEndEarly) ends.unshift(...costs.map((_, row) => ({ row, column: columns - 1 })));
  return ends.reduce((best, cell) => {
    const gain = costAt(costs, best.row, best.column) - costAt(costs, cell.row, cell.column);
    return gain > 0 || (gain === 0 && cell.row + cell.column >= best.row + best.column) ? cell : best;
  });
}

/** Returns the indexes of the words on the cheapest way to a cell; where a word has no partner, only its own. */
function trace(costs: Costs, { left, right }: Keys, end: Cell): readonly Partial<Cell>[] {
  const steps: Partial<Cell>[] = [];
  let { row, column } = end;
  while (row > 0 || column > 0) {
    const cost = costAt(costs, row, column);
    const step = left[row - 1] === right[column - 1] ? 0 : 1;
    if (costAt(costs, row - 1, column - 1) + step === cost) {
      steps.push({ row: --row, column: --column });
    } else if (costAt(costs, row - 1, column) + 1 === cost) {
      steps.push({ row: --row });
    } else {
      steps.push({ column: --column });
    }
  }
  return steps.reverse();
}
