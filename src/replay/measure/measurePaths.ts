import { DELAY_KINDS, type Quantiles } from './delays.ts';
import type { Measures } from './measures.ts';

/** A measure that can have a limit. */
export interface MeasurePath {
  /** Path in a report, such as `delay.final.p95`. */
  readonly path: string;
  /** Meaning of a limit without a name: a maximum for errors, a minimum for measures of quality. */
  readonly limit: 'max' | 'min';
  /** True for a rate. A limit above 1 then has to be a percentage, because 30 means 30 %. */
  readonly isRate: boolean;
  /** Reason for a missing value. */
  readonly absent: string;
}

const ALWAYS_THERE = 'it was not measured';
const NO_REFERENCE = 'there is no reference';
const NO_TIME = 'there are no times of speech: speed is max, or no final had times of words';

const RATES = ['wer', 'cer', 'keywords.recall', 'upwr', 'upsr', 'coverage'];

const measured = (limit: 'max' | 'min', absent: string) => (path: string) => ({
  path,
  limit,
  isRate: RATES.includes(path),
  absent,
});
const most = (absent: string) => measured('max', absent);
const least = (absent: string) => measured('min', absent);

const QUANTILES = ['p50', 'p95', 'p99', 'max'] as const satisfies readonly (keyof Quantiles)[];

/** Every measure, in the order of a report. */
export const MEASURE_PATHS: readonly MeasurePath[] = [
  ...['wer', 'cer', 'words.substitutions', 'words.deletions', 'words.insertions'].map(most(NO_REFERENCE)),
  ...['keywords.recall'].map(least('no keywords are given, or there is no reference')),
  ...DELAY_KINDS.flatMap(kind => QUANTILES.map(part => `delay.${kind}.${part}`)).map(most(NO_TIME)),
  ...['upwr', 'upsr'].map(most(ALWAYS_THERE)),
  ...['coverage'].map(least(ALWAYS_THERE)),
  ...['inaudible', 'hole', 'unknown'].map(kind => `coverageSeconds.${kind}`).map(most(ALWAYS_THERE)),
  ...['reconnects', 'attempts'].map(most(ALWAYS_THERE)),
];

const byPath = new Map(MEASURE_PATHS.map(measure => [measure.path, measure]));

/** Returns the measure of a path; undefined for an unknown path. */
export function measurePath(path: string): MeasurePath | undefined {
  return byPath.get(path);
}

/** Returns measures by path, to six decimals and without unmeasured ones. */
export function measuresAt(measures: Measures, paths: readonly string[]): Readonly<Record<string, number>> {
  const known = paths.flatMap(path => {
    const value = measureAt(measures, path);
    return value === null ? [] : [[path, Number(value.toFixed(6))]];
  });
  return Object.fromEntries(known);
}

/** Returns the value of a measure by its path; null when it could not be measured. */
export function measureAt(measures: Measures, path: string): number | null {
  let value: unknown = measures;
  for (const name of path.split('.')) value = (value as Record<string, unknown> | null)?.[name] ?? null;
  return typeof value === 'number' ? value : null;
}
