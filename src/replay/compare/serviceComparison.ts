import type { FileReport, MeasuredFile } from '../measure/fileReport.ts';
import type { Measures } from '../measure/measures.ts';
import { totalMeasures } from '../measure/totalMeasures.ts';
import { differenceInterval, type Interval } from '../score/bootstrap.ts';
import { meanSegments } from '../score/errorCounts.ts';
import type { ComparedService, HeldStreams } from './streamRamp.ts';

/** What is known of one service after all of them have heard the same audio. */
export interface ServiceComparison {
  readonly name: string;
  readonly service: string;
  /** Of all files that it did not fail on; null when there are none. */
  readonly measures: Measures | null;
  /** Streams that failed. */
  readonly failures: number;
  /**
   * 95 % confidence interval of how much its word error rate is above that of the first service, on files that both
   * heard: beyond chance when 0 is not in it. Repeats of a file are one, by their mean. Null of the first one, and where
   * too little can be said.
   */
  readonly difference: Interval | null;
  /** Null when it was not tried. */
  readonly held: HeldStreams | null;
  readonly files: readonly FileReport[];
}

export interface ComparisonInput {
  readonly service: ComparedService;
  /** In the same order for each service. */
  readonly files: readonly MeasuredFile[];
  readonly held: HeldStreams | null;
}

/**
 * Services side by side.
 *
 * @param seed of the bootstrap
 */
export function compareServices(
  inputs: readonly ComparisonInput[],
  seed: number,
): readonly ServiceComparison[] {
  const [first] = inputs;
  return inputs.map(({ service, files, held }) => {
    const failures = files.filter(({ report }) => report.failure !== undefined).length;
    return {
      ...{ name: service.name, service: service.shownAs, failures, held },
      measures: failures < files.length ? totalMeasures(files, seed) : null,
      difference: files === first!.files ? null : differenceOf(first!.files, files, seed),
      files: files.map(({ report }) => report),
    };
  });
}

function differenceOf(
  before: readonly MeasuredFile[],
  after: readonly MeasuredFile[],
  seed: number,
): Interval | null {
  const both = before.flatMap(({ report }, index) => {
    const other = after[index]!.report;
    return report.failure === undefined && other.failure === undefined ? [{ report, other }] : [];
  });
  const recordings = [...Map.groupBy(both, ({ report }) => report.name).values()];
  return differenceInterval(
    recordings.flatMap(repeats => meanSegments(repeats.map(({ report }) => report.segments))),
    recordings.flatMap(repeats => meanSegments(repeats.map(({ other }) => other.segments))),
    seed,
  );
}

/** Whether a difference is more than chance. */
export function isBeyondChance(difference: Interval | null): boolean {
  return difference !== null && (difference.low > 0 || difference.high < 0);
}
