import type { MeasuredFile } from '../measure/fileReport.ts';
import type { Report } from '../report/report.ts';
import { differenceInterval, type Interval } from '../score/bootstrap.ts';
import { meanSegments } from '../score/errorCounts.ts';
import type { HeldStreams } from './streamRamp.ts';

/** The results of one service after all services have received the same audio. */
export interface ServiceComparison {
  readonly name: string;
  readonly service: string;
  /** Report with the gate of the suite. */
  readonly report: Report;
  /** {@link differenceOf} it and the first service; null for the first service. */
  readonly difference: Interval | null;
  /** Sustained streams; null when this was not tested. */
  readonly held: HeldStreams | null;
}

/**
 * Returns the 95 % confidence interval of the difference of two word error rates, on files with a result from both;
 * significant when it excludes 0. Repeats of a file count once, by their mean. Null with too little data.
 *
 * @param before files of one service
 * @param after files of another one, in the same order
 * @param seed of the bootstrap
 */
export function differenceOf(
  before: readonly MeasuredFile[],
  after: readonly MeasuredFile[],
  seed: number,
): Interval | null {
  const both = before.flatMap(({ report }, index) => {
    const other = after[index]?.report;
    return other && report.failure === undefined && other.failure === undefined ? [{ report, other }] : [];
  });
  const recordings = [...Map.groupBy(both, ({ report }) => report.name).values()];
  return differenceInterval(
    recordings.flatMap(repeats => meanSegments(repeats.map(({ report }) => report.segments))),
    recordings.flatMap(repeats => meanSegments(repeats.map(({ other }) => other.segments))),
    seed,
  );
}

/** Returns whether a difference is significant. */
export function isBeyondChance(difference: Interval | null): boolean {
  return difference !== null && (difference.low > 0 || difference.high < 0);
}
