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

/** Blocks before and after a point that are compared. */
const SIDE_BLOCKS = 20;
/** Least distance of two change points, in blocks. */
const LEAST_BLOCKS = 8;

/**
 * Cuts speech where the speaker seems to change: at the peaks of the difference between the audio before and
 * after a point, except those that the comparison of the two whole segments rejects (Tranter and Reynolds,
 * "An overview of automatic speaker diarization systems", 2006, sections III.B and III.D).
 */
export function segmentsOf(blocks: readonly Block[]): readonly Segment[] {
  const segments: Segment[] = [];
  let from = 0;
  for (const to of [...peaks(differences(blocks)), blocks.length]) {
    const sum = sumOfBlocks(blocks.slice(from, to));
    const last = segments.at(-1);
    if (last && gain(last.sum, sum) < 0) {
      addSum(last.sum, sum);
      segments[segments.length - 1] = { from: last.from, to, sum: last.sum };
    } else if (to > from) segments.push({ from, to, sum });
    from = to;
  }
  return segments;
}

function sumOfBlocks(blocks: Iterable<Block>): GaussianSum {
  const sum = createGaussianSum();
  for (const block of blocks) {
    for (const window of voicedWindows(block)) addWindow(sum, block.chunk.features, window * COEFFICIENTS);
  }
  return sum;
}

/** Returns the gain of separate models for two sums; negative when they are better modelled together. */
function gain(one: GaussianSum, other: GaussianSum): number {
  return likelihoodRatio(one, other) - penaltyOf(one.count + other.count);
}

/**
 * Returns the difference of the audio before and after each point between blocks. Near the ends, the sides
 * are shorter, down to {@link LEAST_BLOCKS}.
 */
function differences(blocks: readonly Block[]): Float64Array {
  const found = new Float64Array(blocks.length);
  for (let point = LEAST_BLOCKS; point <= blocks.length - LEAST_BLOCKS; point++) {
    const before = sumOfBlocks(blocks.slice(Math.max(0, point - SIDE_BLOCKS), point));
    const after = sumOfBlocks(blocks.slice(point, point + SIDE_BLOCKS));
    found[point] = gain(before, after);
  }
  return found;
}

/** Returns the points that are higher than all others within {@link LEAST_BLOCKS}. */
function peaks(heights: Float64Array): number[] {
  const found: number[] = [];
  for (const [point, height] of heights.entries()) {
    if (height <= 0) continue;
    const isPeak = heights
      .subarray(Math.max(0, point - LEAST_BLOCKS), point + LEAST_BLOCKS + 1)
      .every((other, index) => other < height || index === Math.min(point, LEAST_BLOCKS));
    if (isPeak) found.push(point);
  }
  return found;
}
