import { type Block, voicedWindows } from './blocks.ts';
import { adapted, fitMixture, logLikelihoods } from './mixture.ts';

/** Components of the mixtures. */
const COMPONENTS = 8;
/** Costs of a change of speaker at a pause and without one, as log likelihoods: within a sentence the speaker seldom changes. */
const PAUSE_CHANGE_COST = 20;
const CHANGE_COST = 80;
/** Limit of the voiced windows in the two blocks around a pause. */
const MOST_PAUSE_VOICE = 16;
/** Least length of a turn in blocks. */
const LEAST_BLOCKS = 8;
/** Number of iterations. */
const ROUNDS = 2;

/**
 * Reassigns the blocks to speakers, by mixtures fitted to each speaker's blocks and the likeliest path
 * through them (Viterbi 1967) with a least length of turns: Tranter and Reynolds (2006), section III.F.
 */
export function resegmented(blocks: readonly Block[], labels: readonly number[]): readonly number[] {
  let found = labels;
  if (new Set(labels).size < 2) return labels;
  const everybody = fitMixture(blocks, COMPONENTS);
  const costs = changeCosts(blocks);
  for (let round = 0; round < ROUNDS; round++) {
    const speakers = [...new Set(found)].sort((one, other) => one - other);
    if (speakers.length < 2) break;
    const likelihoods = speakers.map(speaker => {
      const mixture = adapted(
        everybody,
        blocks.filter((_, index) => found[index] === speaker),
      );
      return logLikelihoods(mixture, blocks);
    });
    found = likeliestPath(likelihoods, costs).map(index => speakers[index]!);
  }
  return found;
}

/** Returns the cost of a change of speaker before each block. */
function changeCosts(blocks: readonly Block[]): readonly number[] {
  const voices = blocks.map(block => [...voicedWindows(block)].length);
  return blocks.map(({ window }, index) => {
    const before = blocks[index - 1];
    if (!before) return 0;
    const isPause =
      before.window + before.windows < window || voices[index - 1]! + voices[index]! <= MOST_PAUSE_VOICE;
    return isPause ? PAUSE_CHANGE_COST : CHANGE_COST;
  });
}

/** Returns the state of each step on the likeliest path on which each stay has a least length. */
function likeliestPath(likelihoods: readonly Float64Array[], costs: readonly number[]): number[] {
  const steps = likelihoods[0]?.length ?? 0;
  const least = Math.max(1, Math.min(LEAST_BLOCKS, steps));
  const states = likelihoods.map(each => ({
    each,
    upTo: cumulative(each),
    /** Score of the best path up to a step that ends in this state after a long enough stay. */
    scores: new Float64Array(steps + 1).fill(Number.NEGATIVE_INFINITY),
    /** Start of that stay. */
    begins: new Int32Array(steps + 1),
  }));
  /** Score and last state of the best path up to a step. */
  const bestScores = new Float64Array(steps + 1).fill(Number.NEGATIVE_INFINITY);
  const best = new Int32Array(steps + 1);
  for (let step = least; step <= steps; step++) {
    const from = step - least;
    const before = from === 0 ? 0 : bestScores[from]! - costs[from]!;
    for (const [state, { each, upTo, scores, begins }] of states.entries()) {
      const begun = before + upTo[step]! - upTo[from]!;
      const stayed = scores[step - 1]! + each[step - 1]!;
      const score = Math.max(begun, stayed);
      scores[step] = score;
      begins[step] = begun > stayed ? from : begins[step - 1]!;
      if (score > bestScores[step]!) [bestScores[step], best[step]] = [score, state];
    }
  }
  const path = new Array<number>(steps);
  for (let step = steps; step > 0; ) {
    const state = best[step]!;
    const from = states[state]!.begins[step]!;
    path.fill(state, from, step);
    step = from;
  }
  return path;
}

/** Returns the sums of the first 0, 1, 2, … values. */
function cumulative(values: Float64Array): Float64Array {
  const sums = new Float64Array(values.length + 1);
  for (const [index, value] of values.entries()) sums[index + 1] = sums[index]! + value;
  return sums;
}
