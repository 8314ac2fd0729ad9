import { quantile } from '../../base/quantile.ts';
import type { Figure, Figures, OverviewJson } from '../../protocol/admin.ts';

/** An earlier state of a service. */
export interface EarlierOverview {
  readonly overview: OverviewJson;
  readonly secondsAgo: number;
}

/** Returns the sums of the figures of all processes. Counts since an earlier state have that state subtracted. */
export function sumOfProcesses({ processes }: OverviewJson, before?: EarlierOverview): Figures {
  const earlier = new Map(before?.overview.processes.map(({ id, figures }) => [id, figures]));
  const sums: Record<string, Figure[]> = {};
  for (const { id, figures } of processes) {
    for (const [name, values] of Object.entries(figures)) {
      sums[name] ??= [];
      for (const value of values) {
        add(sums[name], value, 1);
        const known = earlier.get(id)?.[name]?.find(other => isSameSeries(other, value));
        if (known) add(sums[name], known, -1);
      }
    }
  }
  return sums;
}

function add(sums: Figure[], { attributes, value, boundaries, buckets }: Figure, sign: 1 | -1): void {
  const at = sums.findIndex(sum => isSameSeries(sum, { attributes }));
  const sum = sums[at];
  const added: Figure = {
    attributes,
    value: (sum?.value ?? 0) + sign * value,
    boundaries,
    buckets: buckets?.map((count, index) => (sum?.buckets?.[index] ?? 0) + sign * count),
  };
  sums.splice(at < 0 ? sums.length : at, 1, added);
}

function isSameSeries(one: Pick<Figure, 'attributes'>, other: Pick<Figure, 'attributes'>): boolean {
  return JSON.stringify(one.attributes) === JSON.stringify(other.attributes);
}

/** Returns the values of a metric that have these attributes. */
export function valuesOf(
  figures: Figures,
  name: string,
  attributes: Figure['attributes'] = {},
): readonly Figure[] {
  const wanted = Object.entries(attributes);
  return (figures[name] ?? []).filter(value => wanted.every(([key, each]) => value.attributes[key] === each));
}

/** Returns the sum of the values of a metric that have these attributes; undefined without any. */
export function sumOf(...[figures, name, attributes]: Parameters<typeof valuesOf>): number | undefined {
  const values = valuesOf(figures, name, attributes);
  return values.length === 0 ? undefined : values.reduce((sum, { value }) => sum + value, 0);
}

/**
 * Returns the boundary of a histogram below which a share of its values lies, as the values themselves are not known. Infinite
 * above the last boundary, undefined without values.
 */
export function quantileOf(values: readonly Figure[], share: number): number | undefined {
  const all: Figure[] = [];
  for (const value of values) add(all, { ...value, attributes: {} }, 1);
  const { boundaries = [], buckets = [] } = all[0] ?? {};
  const counts = buckets.map((count, at) => [boundaries[at] ?? Number.POSITIVE_INFINITY, count] as const);
  return quantile(counts, share);
}
