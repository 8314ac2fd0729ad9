import { commonPrefixLength } from '../../transcript/text/tokens.ts';

/** A shown word, a word of the hypothesis, or one of each at the same place; indexes into the two lists. */
export interface WordPair {
  readonly shown?: number;
  readonly heard?: number;
}

export interface WordAlignment {
  /** The shown words, and the words of the hypothesis among them, in order. */
  readonly pairs: readonly WordPair[];
  /** Number of words of the hypothesis that correspond to shown words; later ones are new. */
  readonly heardWords: number;
}

export interface AlignOptions {
  /** Words of the previous hypothesis after the shown ones; they help to find the end of the shown words. */
  readonly pending?: readonly string[];
  /** True when the hypothesis may end before the shown words do. Default false. */
  readonly mayEndEarly?: boolean;
}

/**
 * Aligns shown words with a new hypothesis, by the least number of edits. The hypothesis may continue after the shown words.
 */
export function alignWords(
  shown: readonly string[],
  heard: readonly string[],
  { pending = [], mayEndEarly = false }: AlignOptions = {},
): WordAlignment {
  const same = commonPrefixLength(shown, heard);
  const pairs: WordPair[] = shown.slice(0, same).map((_, index) => ({ shown: index, heard: index }));
  if (same === shown.length) return { pairs, heardWords: same };
  const left = [...shown.slice(same), ...pending];
  const right = heard.slice(same);
  const costs = editCosts(left, right);
  const end = cheapestEnd(costs, mayEndEarly);
  pairs.push(...trace(costs, left, right, end).map(pair => shifted(pair, same)));
  for (let index = same + end.shown; index < shown.length; index++) pairs.push({ shown: index });
  const ofShown = pairs.slice(
    0,
    pairs.findLastIndex(pair => pair.shown !== undefined && pair.shown < shown.length) + 1,
  );
  return { pairs: ofShown, heardWords: ofShown.filter(pair => pair.heard !== undefined).length };
}

interface Cell {
  readonly shown: number;
  readonly heard: number;
}

function editCosts(left: readonly string[], right: readonly string[]): readonly (readonly number[])[] {
  const rows: number[][] = [right.map((_, column) => column)];
  rows[0]!.push(right.length);
  for (const [index, word] of left.entries()) {
    const above = rows[index]!;
    const row = [index + 1];
    for (let column = 1; column <= right.length; column++) {
      const diagonal = above[column - 1]! + (right[column - 1] === word ? 0 : 1);
      row.push(Math.min(diagonal, above[column]! + 1, row[column - 1]! + 1));
    }
    rows.push(row);
  }
  return rows;
}

/** Returns the cell with the least cost at the end of either list; among equals the one that uses most words, then most shown ones. */
function cheapestEnd(costs: readonly (readonly number[])[], mayEndEarly: boolean): Cell {
  const shown = costs.length - 1;
  const ends = costs[shown]!.map((_, heard) => ({ shown, heard }));
  const heard = costs[0]!.length - 1;
  if (mayEndEarly) ends.unshift(...costs.map((_, row) => ({ shown: row, heard })));
  const costOf = (cell: Cell) => costs[cell.shown]![cell.heard]!;
  return ends.reduce((best, cell) => {
    const gain = costOf(best) - costOf(cell);
    return gain > 0 || (gain === 0 && cell.shown + cell.heard >= best.shown + best.heard) ? cell : best;
  });
}

function trace(
  costs: readonly (readonly number[])[],
  left: readonly string[],
  right: readonly string[],
  end: Cell,
): readonly WordPair[] {
  const pairs: WordPair[] = [];
  let { shown, heard } = end;
  while (shown > 0 || heard > 0) {
    const cost = costs[shown]![heard]!;
    const step = left[shown - 1] === right[heard - 1] ? 0 : 1;
    if (shown > 0 && heard > 0 && costs[shown - 1]![heard - 1]! + step === cost) {
      pairs.push({ shown: --shown, heard: --heard });
    } else if (shown > 0 && costs[shown - 1]![heard]! + 1 === cost) {
      pairs.push({ shown: --shown });
    } else {
      pairs.push({ heard: --heard });
    }
  }
  return pairs.reverse();
}

function shifted({ shown, heard }: WordPair, by: number): WordPair {
  return {
    ...(shown !== undefined && { shown: shown + by }),
    ...(heard !== undefined && { heard: heard + by }),
  };
}
