import { type Block, voicedWindows } from './blocks.ts';
import { COEFFICIENTS as D } from './mfcc.ts';

/** A mixture of Gaussians with diagonal covariances. */
export interface Mixture {
  readonly size: number;
  readonly weights: Float64Array;
  /** Means by component, {@link D} each; variances likewise. */
  readonly means: Float64Array;
  readonly variances: Float64Array;
}

/** Limit of the windows that a mixture is fitted to; more are subsampled. */
const MOST_WINDOWS = 30_000;
const ROUNDS = 6;
/** Least share of the overall variance, so that no component collapses to a point. */
const LEAST_VARIANCE_SHARE = 0.05;
/** Relevance factor: windows of a speaker that weigh as much as the common mixture. */
const RELEVANCE = 16;

/** Statistics of the components: counts, sums and sums of squares of their windows. */
interface Tally {
  readonly counts: Float64Array;
  readonly sums: Float64Array;
  readonly squares: Float64Array;
}

/**
 * Returns a function that computes the probability of each component for a window and returns the log density
 * of the window.
 */
function createScorer({ size, weights, means, variances }: Mixture) {
  const precisions = variances.map(variance => 0.5 / variance);
  const constants = weights.map((weight, m) => {
    let sum = 0;
    for (let i = 0; i < D; i++) sum += Math.log(2 * Math.PI * variances[m * D + i]!);
    return Math.log(weight) - sum / 2;
  });
  const posteriors = new Float64Array(size);
  return {
    posteriors,
    logDensity(features: Float32Array, at: number): number {
      let best = Number.NEGATIVE_INFINITY;
      for (let m = 0; m < size; m++) {
        let log = constants[m]!;
        for (let i = 0; i < D; i++) {
          const difference = features[at + i]! - means[m * D + i]!;
          log -= difference * difference * precisions[m * D + i]!;
        }
        posteriors[m] = log;
        if (log > best) best = log;
      }
      let total = 0;
      for (let m = 0; m < size; m++) total += posteriors[m] = Math.exp(posteriors[m]! - best);
      for (let m = 0; m < size; m++) posteriors[m]! /= total;
      return best + Math.log(total);
    },
  };
}

/** Returns the log likelihood of each block's windows. */
export function logLikelihoods(mixture: Mixture, blocks: readonly Block[]): Float64Array {
  const scorer = createScorer(mixture);
  return Float64Array.from(blocks, block => {
    let sum = 0;
    for (const window of voicedWindows(block)) sum += scorer.logDensity(block.chunk.features, window * D);
    return sum;
  });
}

/**
 * Fits a mixture to speech by expectation maximisation (Dempster, Laird and Rubin 1977), deterministically.
 */
export function fitMixture(blocks: readonly Block[], size: number): Mixture {
  const all = tally(blocks, undefined);
  const count = all.counts[0]!;
  const mean = all.sums.map(sum => sum / count);
  const variance = all.squares.map((square, i) => Math.max(square / count - mean[i]! ** 2, 1e-3));
  const windows = [...windowsOf(blocks)];
  let mixture: Mixture = {
    size,
    weights: new Float64Array(size).fill(1 / size),
    // Initial means are windows spread over the speech.
    means: Float64Array.from({ length: size * D }, (_, i) => {
      const { features, at } = windows[Math.floor(((Math.floor(i / D) + 0.5) * windows.length) / size)]!;
      return features[at + (i % D)]!;
    }),
    variances: Float64Array.from({ length: size * D }, (_, i) => variance[i % D]!),
  };
  for (let round = 0; round < ROUNDS; round++) mixture = maximised(tally(blocks, mixture), mixture, variance);
  return mixture;
}

function maximised({ counts, sums, squares }: Tally, before: Mixture, variance: Float64Array): Mixture {
  const total = counts.reduce((sum, count) => sum + count);
  const means = before.means.map((mean, i) => {
    const count = counts[Math.floor(i / D)]!;
    return count > 1 ? sums[i]! / count : mean;
  });
  const variances = before.variances.map((was, i) => {
    const count = counts[Math.floor(i / D)]!;
    const least = LEAST_VARIANCE_SHARE * variance[i % D]!;
    return count > 1 ? Math.max(squares[i]! / count - means[i]! ** 2, least) : was;
  });
  const weights = counts.map(count => Math.max(count / total, 1e-4));
  return { size: before.size, weights, means, variances };
}

/**
 * Returns a mixture of all speech with its means adapted to one speaker, in proportion to the amount of
 * speech: Reynolds, Quatieri and Dunn, "Speaker verification using adapted Gaussian mixture models" (2000),
 * section 3.3.
 */
export function adapted(everybody: Mixture, blocks: readonly Block[]): Mixture {
  const { counts, sums } = tally(blocks, everybody);
  const means = everybody.means.map((mean, i) => {
    const count = counts[Math.floor(i / D)]!;
    return (sums[i]! + RELEVANCE * mean) / (count + RELEVANCE);
  });
  return { ...everybody, means };
}

/** Returns the statistics of the components; without a mixture, all windows belong to one. */
function tally(blocks: readonly Block[], mixture: Mixture | undefined): Tally {
  const size = mixture?.size ?? 1;
  const [counts, sums, squares] = [
    new Float64Array(size),
    new Float64Array(size * D),
    new Float64Array(size * D),
  ];
  const scorer = mixture && createScorer(mixture);
  const posteriors = scorer?.posteriors ?? [1];
  for (const { features, at } of windowsOf(blocks)) {
    scorer?.logDensity(features, at);
    for (let m = 0; m < size; m++) {
      const share = posteriors[m]!;
      if (share < 1e-4) continue;
      counts[m]! += share;
      for (let i = 0; i < D; i++) {
        const x = features[at + i]!;
        sums[m * D + i]! += share * x;
        squares[m * D + i]! += share * x * x;
      }
    }
  }
  return { counts, sums, squares };
}

function* windowsOf(blocks: readonly Block[]): Generator<{ features: Float32Array; at: number }> {
  const total = blocks.reduce((sum, { windows }) => sum + windows, 0);
  const step = Math.ceil(total / MOST_WINDOWS);
  let passed = 0;
  for (const block of blocks) {
    for (const window of voicedWindows(block)) {
      if (passed++ % step === 0) yield { features: block.chunk.features, at: window * D };
    }
  }
}
