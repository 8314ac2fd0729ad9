import type { Block } from './blocks.ts';
import { adapted, fitMixture, logLikelihoods } from './mixture.ts';

export interface ResegmentTuning {
  /** Components of the mixtures. */
  readonly components: number;
  /** What a change of speaker costs, as a logarithm of a likelihood. */
  readonly changeCost: number;
  /** Blocks that a speaker speaks at least. */
  readonly leastBlocks: number;
  /** How often it is done over. */
  readonly rounds: number;
}

/**
 * Decides anew who speaks each block, by mixtures fitted to what each speaker was found to say and the likeliest path
 * through them (Viterbi 1967), in which a turn has a least length: Tranter and Reynolds (2006), section III.F.
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

/** For each step the one of some states that is on the likeliest path, in which each stay has a least length. */
export function likeliestPath(
  likelihoods: readonly Float64Array[],
  { leastBlocks, changeCost }: Pick<ResegmentTuning, 'leastBlocks' | 'changeCost'>,
): number[] {
  const states = likelihoods.length;
  const steps = likelihoods[0]?.length ?? 0;
  const least = Math.max(1, Math.min(leastBlocks, steps));
  /** Of each state, the sums of its likelihoods up to a step. */
  const sums = likelihoods.map(each => {
    const upTo = new Float64Array(steps + 1);
    for (let step = 0; step < steps; step++) upTo[step + 1] = upTo[step]! + each[step]!;
    return upTo;
  });
  /** The best path up to a step that ends in a state, having stayed long enough; where its last stay began. */
  const scores = likelihoods.map(() => new Float64Array(steps + 1).fill(Number.NEGATIVE_INFINITY));
  const begins = likelihoods.map(() => new Int32Array(steps + 1));
  /** The state of the best path up to a step. */
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
