import { addSum, createGaussianSum, type GaussianSum, penaltyOf, spread } from './gaussian.ts';

/** Criterion by which two clusters are two speakers. */
export interface SpeakerCriterion {
  /** Weight of the penalty of another Gaussian; with more, there are fewer clusters. */
  readonly penalty: number;
  /** Likelihood gain of each window that is still consistent with one speaker, whose voice varies. */
  readonly tolerance: number;
}

/** Criterion for choosing the next merge; with more penalty, smaller clusters merge first. */
export const MERGE_ORDER: SpeakerCriterion = { penalty: 1.5, tolerance: 0 };

/** Cluster numbers from 0, one for each sum. */
export type Labels = readonly number[];

/** Limit of sums that are compared pairwise: 2 MB. */
export const MOST_AT_ONCE = 500;

/** A Gaussian with its precomputed spread. */
interface Cluster {
  readonly sum: GaussianSum;
  readonly spread: number;
}

export function clusterOf(sum: GaussianSum): Cluster {
  return { sum, spread: spread(sum) };
}

/**
 * Returns the gain of two clusters over their merger; negative when they are better merged. The Bayesian
 * information criterion is extended by a term that grows with the windows, since longer speech varies more:
 * Han and Narayanan, "A robust stopping criterion for agglomerative hierarchical clustering in a speaker
 * diarization system" (2007).
 */
export function gainOfTwo(one: Cluster, other: Cluster, { penalty, tolerance }: SpeakerCriterion): number {
  const [a, b] = [one.sum.count, other.sum.count];
  if (a === 0 || b === 0) return Number.NEGATIVE_INFINITY;
  const ratio = spread(one.sum, other.sum) - one.spread - other.spread;
  return ratio - penalty * penaltyOf(a + b) - (tolerance * a * b) / (a + b);
}

/**
 * Merges segments of one speaker, the nearest first (Chen and Gopalakrishnan 1998, section 4). The cost grows
 * with the square of the number of sums, so more than {@link MOST_AT_ONCE} are first merged in parts.
 *
 * @param stop criterion by which the last clusters stay apart
 * @param count number of clusters. Default: by the criterion
 */
export function clustersOf(sums: readonly GaussianSum[], stop: SpeakerCriterion, count?: number): Labels {
  if (sums.length <= MOST_AT_ONCE) return join(sums, stop, { least: count ?? 1, most: count ?? sums.length });
  const joined: GaussianSum[] = [];
  const partLabels: number[] = [];
  for (let from = 0; from < sums.length; from += MOST_AT_ONCE) {
    const part = sums.slice(from, from + MOST_AT_ONCE);
    const first = joined.length;
    // Each round removes at least half of the sums.
    const limits = { least: count ?? 1, most: MOST_AT_ONCE / 2 };
    for (const [index, label] of join(part, stop, limits).entries()) {
      joined[first + label] ??= createGaussianSum();
      addSum(joined[first + label]!, part[index]!);
      partLabels.push(first + label);
    }
  }
  const labels = clustersOf(joined, stop, count);
  return partLabels.map(label => labels[label]!);
}

/** Merges down to at most `most` clusters, then down to `least` as far as the criterion allows. */
function join(
  sums: readonly GaussianSum[],
  stop: SpeakerCriterion,
  { least, most }: { readonly least: number; readonly most: number },
): Labels {
  const clusters = sums.map(clusterOf);
  const labels = [...sums.keys()];
  const pairs = createNearestPairs(sums.length, (one, other) =>
    gainOfTwo(clusters[one]!, clusters[other]!, MERGE_ORDER),
  );
  for (let left = sums.length; left > least; left--) {
    const pair = pairs.nearest();
    if (!pair) break;
    const [kept, gone] = pair;
    if (left <= most && gainOfTwo(clusters[kept]!, clusters[gone]!, stop) >= 0) break;
    clusters[kept] = joinedCluster(clusters[kept]!, clusters[gone]!);
    for (const [index, label] of labels.entries()) {
      if (label === gone) labels[index] = kept;
    }
    pairs.join(kept, gone);
  }
  return renumbered(labels);
}

function joinedCluster(one: Cluster, other: Cluster): Cluster {
  const sum = createGaussianSum();
  for (const each of [one, other]) addSum(sum, each.sum);
  return clusterOf(sum);
}

/** Returns labels as numbers from 0 without gaps, in the order of their first appearance. */
export function renumbered(labels: readonly number[]): Labels {
  const order = [...new Set(labels)];
  return labels.map(label => order.indexOf(label));
}

/** The nearest pair of a shrinking set of items. */
interface NearestPairs {
  /** Returns the nearest two, the lower index first; undefined when fewer than two are left. */
  nearest(): readonly [one: number, other: number] | undefined;
  /** Removes `gone` and recomputes the distances of `kept`. */
  join(kept: number, gone: number): void;
}

/**
 * Keeps the pairwise distances of items. They are computed once, and again when an item changes: 8 bytes for
 * each pair and its mirror.
 */
export function createNearestPairs(
  size: number,
  distance: (one: number, other: number) => number,
): NearestPairs {
  const distances = new Float64Array(size * size);
  const left = new Set(Array.from({ length: size }, (_, index) => index));
  /** Nearest item of a higher index for each item, or -1. */
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
      for (const other of left) {
        if (other !== kept) measure(kept, other);
      }
      for (const one of left) {
        if (one === kept || nearest[one] === kept || nearest[one] === gone) findNearest(one);
        else if (one < kept && between(one, kept) < between(one, nearest[one]!)) nearest[one] = kept;
      }
    },
  };
}
