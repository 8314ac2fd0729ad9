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
  readonly reconnects?: number;
}

/** Returns measures of a report. */
export function measures({ wer, delays, recall, coverage = 1, reconnects = 0 }: MeasuresPlan): Measures {
  const errors = Math.round((wer ?? 0) * 1000);
  const quantiles = { p50: delays!, p95: delays!, p99: delays!, max: delays!, count: 10, latest: [] };
  return {
    ...PLAIN_MEASURES,
    wer: wer ?? null,
    cer: wer ?? null,
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
    reconnects,
  };
}

export interface FilePlan extends MeasuresPlan {
  readonly name?: string;
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
  const { name = 'a', errors, failure, speed = 1, mismatches = [] } = plan;
  const { rules = 'english-1', service = 'embedded' } = plan;
  const wer = errors && errors.reduce((sum, each) => sum + each, 0) / (errors.length * 10);
  return fileOf(name, errors ? alignmentOf(plan, errors) : [], {
    ...measures({ wer, ...plan }),
    ...{ rules, speed, service, mismatches, seconds: 10, durationSeconds: 10 },
    ...(failure !== undefined && { failure }),
    ...(errors && { words: wordsOf(errors) }),
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

function wordsOf(errors: readonly number[]): NonNullable<Measures['words']> {
  const tokens = 10 * errors.length;
  const substitutions = errors.reduce((sum, each) => sum + each, 0);
  return { tokens, hits: tokens - substitutions, substitutions, deletions: 0, insertions: 0 };
}

/** Returns the part of a report that a baseline has. */
export function report(
  files: readonly FileReport[],
  options: Partial<Report> = {},
): Parameters<typeof baselineOf>[0] {
  return { suite: 'calls', files, ...options };
}
