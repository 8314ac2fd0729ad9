import { addSum, createGaussianSum, type GaussianSum, penaltyOf, spread } from './gaussian.ts';

export interface ClusterTuning {
  /** How often the penalty of a Gaussian more is taken where it is asked what to join next: the more, the smaller first. */
  readonly orderPenalty: number;
  readonly stop: StopTuning;
  /** How many there are to be; by default the criterion decides. */
  readonly count?: number;
}

/** When two are two speakers. */
interface StopTuning {
  /** How often the penalty of a Gaussian more is taken: the more, the fewer clusters. */
  readonly penalty: number;
  /** How much a window may speak for two and be one speaker's: nobody sounds the same all the time. */
  readonly tolerance: number;
}

/** Which cluster each of some sums is in, from 0. */
export type Labels = readonly number[];

/** As many sums are compared each with each other: 2 MB. */
export const MOST_AT_ONCE = 500;

/** A Gaussian with its spread at hand. */
interface Cluster {
  readonly sum: GaussianSum;
  readonly spread: number;
}

export function clusterOf(sum: GaussianSum): Cluster {
  return { sum, spread: spread(sum) };
}

/**
 * What it is worth to take two clusters for two: below 0 they are better taken for one. To the Bayesian information
 * criterion it adds a part that grows with the windows, as in Han and Narayanan, "A robust stopping criterion for
 * agglomerative hierarchical clustering in a speaker diarization system" (2007): the longer one speaks, the more differs.
 */
export function gainOfTwo(one: Cluster, other: Cluster, { penalty, tolerance }: StopTuning): number {
  const [a, b] = [one.sum.count, other.sum.count];
  if (a === 0 || b === 0) return Number.NEGATIVE_INFINITY;
  const ratio = spread(one.sum, other.sum) - one.spread - other.spread;
  return ratio - penalty * penaltyOf(a + b) - (tolerance * a * b) / (a + b);
}

/**
 * Joins what one person seems to speak, the nearest first (Chen and Gopalakrishnan 1998, section 4). The work grows with
 * the square of the number of sums, so that more than {@link MOST_AT_ONCE} are joined in parts first.
 */
export function clustersOf(sums: readonly GaussianSum[], tuning: ClusterTuning): Labels {
  if (sums.length <= MOST_AT_ONCE) return join(sums, tuning, tuning.count ?? sums.length);
  const joined: GaussianSum[] = [];
  const partLabels: number[] = [];
  for (let from = 0; from < sums.length; from += MOST_AT_ONCE) {
    const part = sums.slice(from, from + MOST_AT_ONCE);
    const first = joined.length;
    // Each time a half at least goes.
    for (const [index, label] of join(part, tuning, MOST_AT_ONCE / 2).entries()) {
      joined[first + label] ??= createGaussianSum();
      addSum(joined[first + label]!, part[index]!);
      partLabels.push(first + label);
    }
  }
  const labels = clustersOf(joined, tuning);
  return partLabels.map(label => labels[label]!);
}

/** Joins down to at most so many, then as far as the tuning has it. */
function join(
  sums: readonly GaussianSum[],
  { orderPenalty, stop, count: least = 1 }: ClusterTuning,
  most: number,
): Labels {
  const clusters = sums.map(clusterOf);
  const labels = [...sums.keys()];
  const order = { penalty: orderPenalty, tolerance: 0 };
  const pairs = createNearestPairs(sums.length, (one, other) =>
    gainOfTwo(clusters[one]!, clusters[other]!, order),
  );
  for (let left = sums.length; left > least; left--) {
    const pair = pairs.nearest();
    if (!pair) break;
    const [kept, gone] = pair;
    if (left <= most && gainOfTwo(clusters[kept]!, clusters[gone]!, stop) >= 0) break;
    clusters[kept] = joinedCluster(clusters[kept]!, clusters[gone]!);
    for (const [index, label] of labels.entries()) if (label === gone) labels[index] = kept;
    pairs.join(kept, gone);
  }
  return renumbered(labels);
}

function joinedCluster(one: Cluster, other: Cluster): Cluster {
  const sum = createGaussianSum();
  for (const each of [one, other]) addSum(sum, each.sum);
  return clusterOf(sum);
}

/** Labels as numbers from 0 without gaps, in the order in which they first stand. */
export function renumbered(labels: readonly number[]): Labels {
  const numbers = new Map<number, number>();
  return labels.map(label => {
    if (!numbers.has(label)) numbers.set(label, numbers.size);
    return numbers.get(label)!;
  });
}

/** Things of which the two that are nearest to each other are wanted again and again. */
interface NearestPairs {
  /** The nearest two, the lower index first; undefined when fewer than two are left. */
  nearest(): readonly [one: number, other: number] | undefined;
  /** Takes one away, and another for changed. */
  join(kept: number, gone: number): void;
}

/**
 * Pairs of so many things, by their distances, which are asked for once and again when a thing has changed. It keeps
 * them all: 8 bytes for each pair and its mirror.
 */
export function createNearestPairs(
  size: number,
  distance: (one: number, other: number) => number,
): NearestPairs {
  const distances = new Float64Array(size * size);
  const left = new Set(Array.from({ length: size }, (_, index) => index));
  /** Of each, the nearest of those that come after it; -1 when there is none. */
  const nearest = new Int32Array(size).fill(-1);
  const between = (one: number, other: number) =>
    other < 0 ? Number.POSITIVE_INFINITY : distances[one * size + other]!;

  function measure(one: number, other: number): void {
    const [first, second] = one < other ? [one, other] : [other, one];
    distances[first * size + second] = distance(first, second);
  }
  function findNearest(one: number): void {
    nearest[one] = -1;
    for (const other of left) {
      if (other > one && between(one, other) < between(one, nearest[one]!)) nearest[one] = other;
    }
  }

  for (const one of left) {
    for (let other = one + 1; other < size; other++) measure(one, other);
    findNearest(one);
  }
  return {
    nearest() {
      let best: number | undefined;
      for (const one of left) {
        if (best === undefined || between(one, nearest[one]!) < between(best, nearest[best]!)) best = one;
      }
      return best === undefined || nearest[best]! < 0 ? undefined : [best, nearest[best]!];
    },
    join(kept, gone) {
      left.delete(gone);
      for (const other of left) if (other !== kept) measure(kept, other);
      for (const one of left) {
        if (one === kept || nearest[one] === kept || nearest[one] === gone) findNearest(one);
        else if (one < kept && between(one, kept) < between(one, nearest[one]!)) nearest[one] = kept;
      }
    },
  };
}
