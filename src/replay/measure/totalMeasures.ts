import type { Measures } from '../report/report.ts';
import type { MeasuredFile } from './fileReport.ts';
import { type MeasureParts, measuresOf } from './measureParts.ts';
import { sumParts } from './sumParts.ts';

/**
 * The measures of many files together. Of counts the sums are taken, of delays the quantiles of all; streams that failed
 * are left out, since how much of them is missing says nothing of the rest.
 *
 * @param seed of the bootstrap
 */
export function totalMeasures(files: readonly MeasuredFile[], seed: number): Measures {
  const well = files.filter(({ report }) => report.failure === undefined);
  const segments = [...Map.groupBy(well, ({ report }) => report.name).values()].flatMap(meanSegments);
  return measuresOf({ ...sumParts(well.map(({ parts }) => parts)), segments }, seed);
}

/** The same words streamed again say nothing new of other words: of repeats, a stretch has its mean errors. */
function meanSegments(repeats: readonly MeasuredFile[]): MeasureParts['segments'] {
  const [first, ...others] = repeats.map(({ parts }) => parts.segments);
  return first!.map(({ tokens, errors }, index) => {
    const sum = others.reduce((sum, segments) => sum + (segments[index]?.errors ?? 0), errors);
    return { tokens, errors: sum / repeats.length };
  });
}
