import { createHash } from 'node:crypto';
import type { FileReport, Report } from '../report/report.ts';
import type { AlignmentRule } from '../score/alignment.ts';
import { meanSegments } from '../score/meanSegments.ts';
import { BASELINE_TOLERANCES } from './baselineTolerances.ts';
import { measureAt } from './measurePaths.ts';

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
export function baselineOf(report: Pick<Report, 'suite' | 'alignment' | 'files'>): Baseline {
  const repeats = new Map<string, FileReport[]>();
  for (const file of report.files) {
    if (file.failure === undefined) repeats.set(file.name, [...(repeats.get(file.name) ?? []), file]);
  }
  return {
    baseline: 'rxscribe',
    version: BASELINE_VERSION,
    suite: report.suite,
    alignment: report.alignment,
    files: Object.fromEntries([...repeats].map(([name, files]) => [name, meanOf(files)])),
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
    measures: Object.fromEntries(
      COMPARED.flatMap(path => {
        const values = files.map(file => measureAt(file, path)).filter(value => value !== null);
        return values.length > 0 ? [[path, mean(values)]] : [];
      }),
    ),
  };
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
