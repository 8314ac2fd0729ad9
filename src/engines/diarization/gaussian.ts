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

/** Adds windows of coefficients that lie one after the other. */
export function addWindows(into: GaussianSum, features: Float32Array, at: number, windows: number): void {
  const { sums } = into;
  for (let window = 0; window < windows; window++) {
    const start = at + window * D;
    let product = D;
    for (let i = 0; i < D; i++) {
      const x = features[start + i]!;
      sums[i]! += x;
      for (let j = 0; j <= i; j++) sums[product++]! += x * features[start + j]!;
    }
  }
  into.count += windows;
}

/** Adds what another sum is of, or takes it away. */
export function addSum(into: GaussianSum, other: GaussianSum, sign: 1 | -1 = 1): void {
  for (let i = 0; i < PARAMETERS; i++) into.sums[i]! += sign * other.sums[i]!;
  into.count += sign * other.count;
}

export function sumOf(sums: Iterable<GaussianSum>): GaussianSum {
  const total = createGaussianSum();
  for (const each of sums) addSum(total, each);
  return total;
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
 * How much better two Gaussians tell the windows of two sums than one does, by the Bayesian information criterion of
 * Chen and Gopalakrishnan, "Speaker, environment and channel change detection and clustering via the Bayesian
 * information criterion" (1998). Below 0 they are better taken for one.
 *
 * @param penalty what a parameter costs; 1 in the theory, more in practice
 */
export function bicDifference(one: GaussianSum, other: GaussianSum, penalty: number): number {
  const likelihoodRatio = spread(one, other) - spread(one) - spread(other);
  return likelihoodRatio - (penalty / 2) * PARAMETERS * Math.log(one.count + other.count);
}
