import type { FileReport } from '../../../src/replay/measure/fileReport.ts';
import type { Measures } from '../../../src/replay/measure/measures.ts';
import type { Report } from '../../../src/replay/report/report.ts';
import type { baselineOf } from '../../../src/replay/suite/baseline/baseline.ts';
import { fileOf, PLAIN_MEASURES } from '../report/exampleReport.ts';

export interface MeasuresPlan {
  /** Errors among a thousand words. */
  readonly wer?: number;
  /** Seconds of every delay. */
  readonly delays?: number;
  readonly recall?: number;
  readonly coverage?: number;
  readonly violations?: number;
}

/** Returns measures of a report. */
export function measures({ wer, delays, recall, coverage = 1, violations = 0 }: MeasuresPlan): Measures {
  const errors = Math.round((wer ?? 0) * 1000);
  const quantiles = { p50: delays!, p95: delays!, p99: delays!, max: delays!, count: 10, latest: [] };
  return {
    ...PLAIN_MEASURES,
    wer: wer ?? null,
    cer: wer ?? null,
    perfect: wer === undefined ? null : Number(wer === 0),
    words:
      wer === undefined
        ? null
        : { tokens: 1000, hits: 1000 - errors, substitutions: errors, deletions: 0, insertions: 0 },
    characters: wer === undefined ? null : { tokens: 4000, errors: errors * 4 },
    keywords: recall === undefined ? null : { recall, keywords: [] },
    delay: delays === undefined ? null : { firstPartial: quantiles, word: quantiles, final: quantiles },
    upwr: 0.1,
    upsr: 0.1,
    coverage,
    coverageSeconds: { final: 10 * coverage, silence: 0, inaudible: 0, hole: 10 - 10 * coverage, unknown: 0 },
    violations,
  };
}

export interface FilePlan extends MeasuresPlan {
  readonly name?: string;
  readonly repeat?: number;
  readonly rules?: string;
  readonly reference?: readonly string[];
  /** Words that are heard in addition. */
  readonly heard?: readonly string[];
  readonly service?: string;
  /** Errors in each segment of ten words. */
  readonly errors?: readonly number[];
  readonly speed?: number | 'max';
  readonly failure?: string;
  readonly mismatches?: readonly string[];
}

/** Returns a file of a report. */
export function file(plan: FilePlan = {}): FileReport {
  const { name = 'a', repeat = 1, errors, failure, speed = 1, mismatches = [] } = plan;
  const { rules = 'english-1', service = 'embedded' } = plan;
  const wer = errors && errors.reduce((sum, each) => sum + each, 0) / (errors.length * 10);
  return fileOf(name, errors ? alignmentOf(plan, errors) : [], {
    ...measures({ wer, ...plan }),
    ...{ repeat, rules, speed, service, mismatches, seconds: 10, durationSeconds: 10 },
    ...(failure !== undefined && { failure }),
    segments: (errors ?? []).map(each => ({ tokens: 10, errors: each })),
  });
}

function alignmentOf({ reference, heard }: FilePlan, errors: readonly number[]): FileReport['alignment'] {
  const inserted = (heard ?? []).map(word => ({ type: 'insertion', hypothesis: word }) as const);
  if (reference)
    return [...reference.map(word => ({ type: 'deletion', reference: word }) as const), ...inserted];
  const own = errors.flatMap((count, segment) =>
    Array.from({ length: 10 }, (_, at) => {
      const said = `w${segment * 10 + at}`;
      return at < count
        ? ({ type: 'substitution', reference: said, hypothesis: 'x' } as const)
        : ({ type: 'hit', reference: said, hypothesis: said } as const);
    }),
  );
  return [...own, ...inserted];
}

/** Returns a report for a baseline, whose totals treat all files as equally long. */
export function report(
  files: readonly FileReport[],
  options: Partial<Report> = {},
): Parameters<typeof baselineOf>[0] {
  const machine = { eventLoopP99: 0.005, waiting: 0.02 };
  return { machine, suite: 'calls', alignment: 'levenshtein', files, ...together(files), ...options };
}

function together(files: readonly FileReport[]): Measures {
  const well = files.filter(({ failure }) => failure === undefined);
  const mean = (of: (file: FileReport) => number | null | undefined) => {
    const values = well.map(of).filter(value => value !== null && value !== undefined);
    return values.length === 0 ? undefined : values.reduce((sum, value) => sum + value, 0) / values.length;
  };
  return measures({
    wer: mean(({ wer }) => wer),
    delays: mean(({ delay }) => delay?.final?.p95),
    recall: mean(({ keywords }) => keywords?.recall),
    coverage: mean(({ coverage }) => coverage),
    violations: well.reduce((sum, { violations }) => sum + violations, 0),
  });
}
