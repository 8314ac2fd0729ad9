import { COEFFICIENTS as D } from './mfcc.ts';

/** Of the covariance: its lower triangle. */
const TRIANGLE = (D * (D + 1)) / 2;
/** Numbers that a Gaussian with a full covariance is given by. */
export const PARAMETERS = D + TRIANGLE;
/** Added to each variance, that of a coefficient being some 10: a few windows do not span all directions. */
const LEAST_VARIANCE = 0.05;

/** What is to be known of windows of coefficients to fit a Gaussian: how many, their sum and that of their products. */
export interface GaussianSum {
  count: number;
  readonly sums: Float64Array;
}

export function createGaussianSum(): GaussianSum {
  return { count: 0, sums: new Float64Array(PARAMETERS) };
}

/** Adds a window of coefficients, which begin at an index. */
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

/** Adds what another sum is of. */
export function addSum(into: GaussianSum, other: GaussianSum): void {
  for (let i = 0; i < PARAMETERS; i++) into.sums[i]! += other.sums[i]!;
  into.count += other.count;
}

const row = (i: number) => (i * (i + 1)) / 2;
const total = createGaussianSum();
const factor = new Float64Array(TRIANGLE);

/** Half the windows of a sum, or of two, times the logarithm of their covariance's determinant: less is denser. */
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
      // The factor of Cholesky; rounding must not make a square negative.
      factor[line + j] = i === j ? Math.sqrt(Math.max(value, 1e-9)) : value / factor[column + j]!;
    }
    logDeterminant += 2 * Math.log(factor[line + i]!);
  }
  return (count / 2) * logDeterminant;
}

/**
 * The logarithm of how much likelier two sums are by a Gaussian each than by one of both: the generalised
 * likelihood ratio.
 */
export function likelihoodRatio(one: GaussianSum, other: GaussianSum): number {
  return spread(one, other) - spread(one) - spread(other);
}

/**
 * What a Gaussian more has to be worth for some windows, by the Bayesian information criterion of Chen and Gopalakrishnan,
 * "Speaker, environment and channel change detection and clustering via the Bayesian information criterion" (1998); in
 * practice it is taken a few times.
 */
export function penaltyOf(windows: number): number {
  return (PARAMETERS / 2) * Math.log(windows);
}
