import { addSum, createGaussianSum, type GaussianSum, PARAMETERS, spread } from './gaussian.ts';

export interface ClusterTuning {
  /** What a parameter costs: the more, the fewer clusters. */
  readonly penalty: number;
  /** How many there are to be; by default the criterion decides. */
  readonly count?: number;
}

/** Which cluster each of some sums is in, from 0. */
export type Labels = readonly number[];

/** As many sums are compared each with each other: 8 MB. */
const MOST_AT_ONCE = 1000;

/**
 * Joins what one person seems to speak, the nearest first, until the Bayesian information criterion is against it: Chen
 * and Gopalakrishnan (1998), section 4. The work grows with the square of the number of sums, so that more than
 * {@link MOST_AT_ONCE} are joined in parts first.
 */
export function clustersOf(sums: readonly GaussianSum[], tuning: ClusterTuning): Labels {
  if (sums.length <= MOST_AT_ONCE) {
    return join(sums, tuning.penalty, { most: tuning.count ?? sums.length, least: tuning.count ?? 1 });
  }
  const joined: GaussianSum[] = [];
  const partLabels: number[] = [];
  for (let from = 0; from < sums.length; from += MOST_AT_ONCE) {
    const part = sums.slice(from, from + MOST_AT_ONCE);
    // Each time a half at least goes.
    const labels = join(part, tuning.penalty, { most: MOST_AT_ONCE / 2, least: tuning.count ?? 1 });
    const first = joined.length;
    for (const [index, label] of labels.entries()) {
      joined[first + label] ??= createGaussianSum();
      addSum(joined[first + label]!, part[index]!);
      partLabels.push(first + label);
    }
  }
  const labels = clustersOf(joined, tuning);
  return partLabels.map(label => labels[label]!);
}

interface Cluster {
  readonly sum: GaussianSum;
  spread: number;
  /** The nearest of those that come after it, and what joining the two costs: less than 0 when it is for the better. */
  nearest: number;
  cost: number;
}

function join(
  sums: readonly GaussianSum[],
  penalty: number,
  { most, least }: { readonly most: number; readonly least: number },
): Labels {
  const size = sums.length;
  const costs = new Float64Array(size * size);
  const clusters = sums.map((sum): Cluster | undefined => ({
    sum: { count: sum.count, sums: sum.sums.slice() },
    spread: spread(sum),
    nearest: -1,
    cost: Number.POSITIVE_INFINITY,
  }));
  const labels = sums.map((_, index) => index);

  function compare(one: number, other: number): void {
    const [a, b] = [clusters[one]!, clusters[other]!];
    const windows = a.sum.count + b.sum.count;
    costs[Math.min(one, other) * size + Math.max(one, other)] =
      spread(a.sum, b.sum) - a.spread - b.spread - (penalty / 2) * PARAMETERS * Math.log(windows);
  }
  function findNearest(index: number): void {
    const cluster = clusters[index]!;
    cluster.cost = Number.POSITIVE_INFINITY;
    for (let other = index + 1; other < size; other++) {
      const cost = costs[index * size + other]!;
      if (!clusters[other] || cost >= cluster.cost) continue;
      cluster.nearest = other;
      cluster.cost = cost;
    }
  }

  for (let one = 0; one < size; one++) {
    for (let other = one + 1; other < size; other++) compare(one, other);
  }
  for (let index = 0; index < size; index++) findNearest(index);

  for (let left = size; left > Math.max(1, least); left--) {
    let kept = 0;
    for (let index = 0; index < size; index++) {
      if (
        (clusters[index]?.cost ?? Number.POSITIVE_INFINITY) <
        (clusters[kept]?.cost ?? Number.POSITIVE_INFINITY)
      )
        kept = index;
    }
    const cluster = clusters[kept]!;
    if (cluster.cost >= 0 && left <= most) break;
    const gone = cluster.nearest;
    addSum(cluster.sum, clusters[gone]!.sum);
    cluster.spread = spread(cluster.sum);
    clusters[gone] = undefined;
    for (const [index, label] of labels.entries()) if (label === gone) labels[index] = kept;
    for (let index = 0; index < size; index++) if (index !== kept && clusters[index]) compare(kept, index);
    for (let index = 0; index < size; index++) {
      const other = clusters[index];
      if (!other) continue;
      if (index === kept || other.nearest === gone || other.nearest === kept) findNearest(index);
      else if (index < kept && costs[index * size + kept]! < other.cost) {
        other.nearest = kept;
        other.cost = costs[index * size + kept]!;
      }
    }
  }
  return renumbered(labels);
}

/** Labels as numbers from 0 without gaps, in the order in which they first stand. */
export function renumbered(labels: readonly number[]): Labels {
  const numbers = new Map<number, number>();
  return labels.map(label => {
    if (!numbers.has(label)) numbers.set(label, numbers.size);
    return numbers.get(label)!;
  });
}
