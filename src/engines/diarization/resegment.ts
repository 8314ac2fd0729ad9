import type { Block } from './blocks.ts';
import { adapted, fitMixture, logLikelihoods } from './mixture.ts';

export interface ResegmentTuning {
  /** Components of the mixtures. */
  readonly components: number;
  /** Cost of a change of speaker, as a log likelihood. */
  readonly changeCost: number;
  /** Least length of a turn in blocks. */
  readonly leastBlocks: number;
  /** Number of iterations. */
  readonly rounds: number;
}

/**
 * Reassigns the blocks to speakers, by mixtures fitted to each speaker's blocks and the likeliest path
 * through them (Viterbi 1967) with a least length of turns: Tranter and Reynolds (2006), section III.F.
 */
export function resegmented(
  blocks: readonly Block[],
  labels: readonly number[],
  tuning: ResegmentTuning,
): readonly number[] {
  let found = labels;
  if (new Set(labels).size < 2) return labels;
  const everybody = fitMixture(blocks, tuning.components);
  for (let round = 0; round < tuning.rounds; round++) {
    const speakers = [...new Set(found)].sort((one, other) => one - other);
    if (speakers.length < 2) break;
    const likelihoods = speakers.map(speaker => {
      const mixture = adapted(
        everybody,
        blocks.filter((_, index) => found[index] === speaker),
      );
      return logLikelihoods(mixture, blocks);
    });
    found = likeliestPath(likelihoods, tuning).map(index => speakers[index]!);
  }
  return found;
}

/** Returns the state of each step on the likeliest path on which each stay has a least length. */
export function likeliestPath(
  likelihoods: readonly Float64Array[],
  { leastBlocks, changeCost }: Pick<ResegmentTuning, 'leastBlocks' | 'changeCost'>,
): number[] {
  const states = likelihoods.length;
  const steps = likelihoods[0]?.length ?? 0;
  const least = Math.max(1, Math.min(leastBlocks, steps));
  /** Cumulative likelihoods of each state. */
  const sums = likelihoods.map(each => {
    const upTo = new Float64Array(steps + 1);
    for (let step = 0; step < steps; step++) upTo[step + 1] = upTo[step]! + each[step]!;
    return upTo;
  });
  /**
   * Score of the best path up to a step that ends in a state after a long enough stay, and the start of that
   * stay.
   */
  const scores = likelihoods.map(() => new Float64Array(steps + 1).fill(Number.NEGATIVE_INFINITY));
  const begins = likelihoods.map(() => new Int32Array(steps + 1));
  /** Last state of the best path up to a step. */
  const best = new Int32Array(steps + 1);
  for (let step = least; step <= steps; step++) {
    const from = step - least;
    for (let state = 0; state < states; state++) {
      const before = from === 0 ? 0 : scores[best[from]!]![from]! - changeCost;
      const begun = before + sums[state]![step]! - sums[state]![from]!;
      const stayed = scores[state]![step - 1]! + likelihoods[state]![step - 1]!;
      scores[state]![step] = Math.max(begun, stayed);
      begins[state]![step] = begun > stayed ? from : begins[state]![step - 1]!;
      if (scores[state]![step]! > scores[best[step]!]![step]!) best[step] = state;
    }
  }
  const path = new Array<number>(steps);
  for (let step = steps; step > 0; ) {
    const state = best[step]!;
    const from = begins[state]![step]!;
    path.fill(state, from, step);
    step = from;
  }
  return path;
}
