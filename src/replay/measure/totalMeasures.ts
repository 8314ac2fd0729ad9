import type { Measures } from '../report/report.ts';
import { meanSegments } from '../score/meanSegments.ts';
import type { MeasuredFile } from './fileReport.ts';
import { measuresOf } from './measureParts.ts';
import { sumParts } from './sumParts.ts';

/**
 * The measures of many files together. Of counts the sums are taken, of delays the quantiles of all; streams that failed
 * are left out, since how much of them is missing says nothing of the rest.
 *
 * @param seed of the bootstrap
 */
export function totalMeasures(files: readonly MeasuredFile[], seed: number): Measures {
  const well = files.filter(({ report }) => report.failure === undefined);
  const repeats = [...Map.groupBy(well, ({ report }) => report.name).values()];
  const segments = repeats.flatMap(files => meanSegments(files.map(({ parts }) => parts.segments)));
  return measuresOf({ ...sumParts(well.map(({ parts }) => parts)), segments }, seed);
}
