import type { MeasuredFile } from '../measure/fileReport.ts';
import type { Measures } from '../measure/measures.ts';
import { totalMeasures } from '../measure/totalMeasures.ts';
import { differenceInterval, type Interval } from '../score/bootstrap.ts';
import { meanSegments } from '../score/errorCounts.ts';
import type { ComparedService, HeldStreams } from './streamRamp.ts';

/** The results of one service after all services have received the same audio. */
export interface ServiceComparison {
  readonly name: string;
  readonly service: string;
  /** Measures over all files without a failure; null when there are none. */
  readonly measures: Measures | null;
  /** Number of streams that failed. */
  readonly failures: number;
  /**
   * 95 % confidence interval of the difference of its word error rate from that of the first service, on files with a
   * result from both; significant when it excludes 0. Repeats of a file count once, by their mean. Null for the first
   * service, and with too little data.
   */
  readonly difference: Interval | null;
  /** Sustained streams; null when this was not tested. */
  readonly held: HeldStreams | null;
}

export interface ComparisonInput {
  readonly service: ComparedService;
  /** Files in the same order for each service. */
  readonly files: readonly MeasuredFile[];
  readonly held: HeldStreams | null;
}

/** Compares services. @param seed of the bootstrap */
export function compareServices(
  inputs: readonly ComparisonInput[],
  seed: number,
): readonly ServiceComparison[] {
  const [first] = inputs;
  return inputs.map(({ service, files, held }) => {
    const failures = files.filter(({ report }) => report.failure !== undefined).length;
    return {
      name: service.name,
      service: service.shownAs,
      failures,
      held,
      measures: failures < files.length ? totalMeasures(files, seed) : null,
      difference: first && first.files !== files ? differenceOf(first.files, files, seed) : null,
    };
  });
}

function differenceOf(
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
