import { createHash } from 'node:crypto';
import type { AlignmentRule } from '../../align/alignment.ts';
import type { FileReport } from '../../measure/fileReport.ts';
import { measureAt } from '../../measure/measurePaths.ts';
import type { Measures } from '../../measure/measures.ts';
import type { GateCheck, Report } from '../../report/report.ts';
import { meanSegments, type TokenErrors } from '../../score/errorCounts.ts';
import { BASELINE_TOLERANCES } from './baselineTolerances.ts';

/** The version of the file that `--update` writes. */
export const BASELINE_VERSION = 1;

/** What a report is compared with: what `--update` writes, for people to look at in a difference. */
export interface Baseline {
  readonly baseline: 'rxscribe';
  readonly version: typeof BASELINE_VERSION;
  readonly suite: string;
  readonly alignment: AlignmentRule;
  /** By the names of cases, in their order. Streams that failed are left out. */
  readonly files: Readonly<Record<string, BaselineFile>>;
  /** The figures that the report showed of all files; absent in baselines of earlier releases. */
  readonly all?: BaselineTotals;
}

/** Figures of all streams together, as a report has them. */
export interface BaselineTotals {
  /** Streams that came to their end. */
  readonly streams: number;
  /** Those that are compared, by path; without what was not measured. */
  readonly measures: Readonly<Record<string, number>>;
}

const COMPARED = ['wer', ...Object.keys(BASELINE_TOLERANCES)];

/** Means over the repeats of a case. */
export interface BaselineFile {
  /** How its words were made comparable. */
  readonly rules: string;
  readonly speed: number | 'max';
  /** A hash of the words of the reference; null without one. */
  readonly reference: string | null;
  /** A hash of the words that were heard, of a cassette that answers itself: the same each time. Else null. */
  readonly heard: string | null;
  /** Errors of each stretch of the reference, and its words; in the file `1/31 0/28`. */
  readonly segments: readonly BaselineSegment[];
  /** Those that are compared, by path; without what was not measured. */
  readonly measures: Readonly<Record<string, number>>;
}

interface BaselineSegment {
  /** Also parts of one, of several repeats. */
  readonly errors: number;
  readonly tokens: number;
}

/** What of a report is compared with later ones. */
export function baselineOf(report: Pick<Report, 'suite' | 'alignment' | 'files' | keyof Measures>): Baseline {
  const well = report.files.filter(({ failure }) => failure === undefined);
  const repeats = Map.groupBy(well, ({ name }) => name);
  return {
    baseline: 'rxscribe',
    version: BASELINE_VERSION,
    suite: report.suite,
    alignment: report.alignment,
    files: Object.fromEntries([...repeats].map(([name, files]) => [name, meanOf(files)])),
    all: { streams: well.length, measures: comparedMeasures([report]) },
  };
}

function meanOf(files: readonly FileReport[]): BaselineFile {
  const [first] = files as readonly [FileReport, ...FileReport[]];
  return {
    rules: first.rules,
    speed: first.speed,
    reference: fingerprint(first, 'reference'),
    heard: first.service === 'cassette' ? fingerprint(first, 'hypothesis') : null,
    segments: first.wer === null ? [] : segmentsOf(files),
    measures: comparedMeasures(files),
  };
}

/** Means of what is compared, by path. */
function comparedMeasures(all: readonly Measures[]): BaselineTotals['measures'] {
  return Object.fromEntries(
    COMPARED.flatMap(path => {
      const values = all.map(measures => measureAt(measures, path)).filter(value => value !== null);
      return values.length > 0 ? [[path, mean(values)]] : [];
    }),
  );
}

function segmentsOf(files: readonly FileReport[]): readonly BaselineSegment[] {
  const segments = meanSegments(files.map(file => file.segments));
  return segments.map(({ errors, tokens }) => ({ errors: rounded(errors), tokens }));
}

/** Changes with the words, as they were written or heard. */
function fingerprint({ wer, alignment }: FileReport, side: 'reference' | 'hypothesis'): string | null {
  if (wer === null) return null;
  const text = JSON.stringify(alignment.map(word => word[side]).filter(word => word !== undefined));
  return createHash('sha256').update(text).digest('hex').slice(0, 16);
}

/** As many decimals as anybody compares: the same report gives the same file. */
const DECIMALS = 6;

function rounded(value: number): number {
  return Number(value.toFixed(DECIMALS));
}

function mean(values: readonly number[]): number {
  return rounded(values.reduce((sum, value) => sum + value, 0) / values.length);
}

/** A case that a baseline and a report have. */
export interface BaselinePair {
  readonly name: string;
  readonly before: BaselineFile;
  readonly after: BaselineFile;
}

/** All errors of a case, and all words of its reference. */
export function errorsOf({ segments }: Pick<BaselineFile, 'segments'>): TokenErrors {
  const sum = (name: keyof TokenErrors) => segments.reduce((total, segment) => total + segment[name], 0);
  return { tokens: sum('tokens'), errors: sum('errors') };
}

/** Something to be told of a comparison that is no figure. */
export function baselineNote(message: string, passed: boolean, file?: string): GateCheck {
  const of = file !== undefined && { file };
  return { kind: 'baseline', ...of, measure: 'baseline', passed, message, value: null, limit: 0 };
}
