import { type Block, voicedWindows } from './blocks.ts';
import {
  addSum,
  addWindow,
  createGaussianSum,
  type GaussianSum,
  likelihoodRatio,
  penaltyOf,
} from './gaussian.ts';
import { COEFFICIENTS } from './mfcc.ts';

/** A range of blocks of one speaker, `to` exclusive. */
export interface Segment {
  readonly from: number;
  readonly to: number;
  readonly sum: GaussianSum;
}

export interface ChangeTuning {
  /** Blocks before and after a point that are compared. */
  readonly sideBlocks: number;
  /** Least distance of two change points, in blocks. */
  readonly leastBlocks: number;
  /** Weight of the penalty when two segments are compared. */
  readonly penalty: number;
}

/**
 * Cuts speech where the speaker seems to change: at the peaks of the difference between the audio before and
 * after a point, except those that the comparison of the two whole segments rejects (Tranter and Reynolds,
 * "An overview of automatic speaker diarization systems", 2006, sections III.B and III.D).
 */
export function segmentsOf(blocks: readonly Block[], tuning: ChangeTuning): readonly Segment[] {
  const segments: Segment[] = [];
  let from = 0;
  for (const to of [...peaks(differences(blocks, tuning), tuning.leastBlocks), blocks.length]) {
    const sum = sumOfBlocks(blocks.slice(from, to));
    const last = segments.at(-1);
    if (last && gain(last.sum, sum, tuning.penalty) < 0) {
      addSum(last.sum, sum);
      segments[segments.length - 1] = { from: last.from, to, sum: last.sum };
    } else if (to > from) segments.push({ from, to, sum });
    from = to;
  }
  return segments;
}

export function sumOfBlocks(blocks: Iterable<Block>): GaussianSum {
  const sum = createGaussianSum();
  for (const block of blocks) {
    for (const window of voicedWindows(block)) addWindow(sum, block.chunk.features, window * COEFFICIENTS);
  }
  return sum;
}

/** Returns the gain of separate models for two sums; negative when they are better modelled together. */
function gain(one: GaussianSum, other: GaussianSum, penalty: number): number {
  return likelihoodRatio(one, other) - penalty * penaltyOf(one.count + other.count);
}

/**
 * Returns the difference of the audio before and after each point between blocks. Near the ends, the sides
 * are shorter, down to `leastBlocks`.
 */
function differences(blocks: readonly Block[], { sideBlocks, leastBlocks }: ChangeTuning): Float64Array {
  const found = new Float64Array(blocks.length);
  for (let point = leastBlocks; point <= blocks.length - leastBlocks; point++) {
    const before = sumOfBlocks(blocks.slice(Math.max(0, point - sideBlocks), point));
    const after = sumOfBlocks(blocks.slice(point, point + sideBlocks));
    found[point] = gain(before, after, 1);
  }
  return found;
}

/** Returns the points that are higher than all others within a distance. */
function peaks(heights: Float64Array, distance: number): number[] {
  const found: number[] = [];
  for (let point = 1; point < heights.length; point++) {
    const height = heights[point]!;
    if (height <= 0) continue;
    const isPeak = heights
      .subarray(Math.max(0, point - distance), point + distance + 1)
      .every((other, index) => other < height || index === Math.min(point, distance));
    if (isPeak) found.push(point);
  }
  return found;
}
