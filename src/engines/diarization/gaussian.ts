import { COEFFICIENTS as D } from './mfcc.ts';

/** Numbers in the lower triangle of a covariance matrix. */
const TRIANGLE = (D * (D + 1)) / 2;
/** Parameters of a Gaussian with a full covariance. */
const PARAMETERS = D + TRIANGLE;
/**
 * Regularisation of each variance, relative to some 10 for a coefficient: a few windows do not span all
 * dimensions.
 */
const LEAST_VARIANCE = 0.05;

/** Sufficient statistics of a Gaussian: the count of windows, their sum, and the sum of their products. */
export interface GaussianSum {
  count: number;
  readonly sums: Float64Array;
}

export function createGaussianSum(): GaussianSum {
  return { count: 0, sums: new Float64Array(PARAMETERS) };
}

/** Adds the window of coefficients at an index. */
export function addWindow(into: GaussianSum, features: Float32Array, at: number): void {
  const { sums } = into;
  let product = D;
  for (let i = 0; i < D; i++) {
    const x = features[at + i]!;
    sums[i]! += x;
    for (let j = 0; j <= i; j++) sums[product++]! += x * features[at + j]!;
  }
  into.count++;
}

/** Adds the statistics of another sum. */
export function addSum(into: GaussianSum, other: GaussianSum): void {
  for (let i = 0; i < PARAMETERS; i++) into.sums[i]! += other.sums[i]!;
  into.count += other.count;
}

const row = (i: number) => (i * (i + 1)) / 2;
const total = createGaussianSum();
const factor = new Float64Array(TRIANGLE);

/**
 * Returns half the number of windows of one or two sums, times the logarithm of the determinant of their
 * covariance. Smaller is denser.
 */
export function spread(one: GaussianSum, other?: GaussianSum): number {
  total.sums.set(one.sums);
  total.count = one.count;
  if (other) addSum(total, other);
  const { count, sums } = total;
  if (count === 0) return 0;
  let logDeterminant = 0;
  for (let i = 0; i < D; i++) {
    const [line, mean] = [row(i), sums[i]! / count];
    for (let j = 0; j <= i; j++) {
      let value = (sums[D + line + j]! - mean * sums[j]!) / count;
      if (i === j) value += LEAST_VARIANCE;
      const column = row(j);
      for (let k = 0; k < j; k++) value -= factor[line + k]! * factor[column + k]!;
      // Cholesky decomposition; rounding must not make a square negative.
      factor[line + j] = i === j ? Math.sqrt(Math.max(value, 1e-9)) : value / factor[column + j]!;
    }
    logDeterminant += 2 * Math.log(factor[line + i]!);
  }
  return (count / 2) * logDeterminant;
}

/**
 * Returns the generalised likelihood ratio: the gain in log likelihood of two Gaussians over a common one.
 */
export function likelihoodRatio(one: GaussianSum, other: GaussianSum): number {
  return spread(one, other) - spread(one) - spread(other);
}

/**
 * Returns the penalty of another Gaussian, by the Bayesian information criterion of Chen and Gopalakrishnan,
 * "Speaker, environment and channel change detection and clustering via the Bayesian information criterion"
 * (1998); in practice it is weighted.
 */
export function penaltyOf(windows: number): number {
  return (PARAMETERS / 2) * Math.log(windows);
}
