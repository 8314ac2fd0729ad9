import { createHash } from 'node:crypto';
import { type Static, Type } from 'typebox';
import type { FileReport } from '../../measure/fileReport.ts';
import { measureAt } from '../../measure/measurePaths.ts';
import type { Measures } from '../../measure/measures.ts';
import type { GateCheck, Report } from '../../report/report.ts';
import { meanSegments, type TokenErrors } from '../../score/errorCounts.ts';
import type { AlignedWord } from '../../score/scoreTranscript.ts';
import { BASELINE_TOLERANCES } from './baselineTolerances.ts';

/** Version of the file that `--update` writes. */
export const BASELINE_VERSION = 1;

const Count = Type.Number({ minimum: 0 });
/** Compared measures by path, without unmeasured ones. */
const Measured = Type.Record(Type.String(), Type.Number());

/** Means over the repeats of a case. */
const File = Type.Object({
  /** Rule set that normalized the words. */
  rules: Type.String(),
  speed: Type.Union([Type.Number({ exclusiveMinimum: 0 }), Type.Literal('max')]),
  /** Hash of the words of the reference; null without one. */
  reference: Type.Union([Type.String(), Type.Null()]),
  /** Hash of the recognized words of a cassette that answers itself, which are the same in each run. Else null. */
  heard: Type.Union([Type.String(), Type.Null()]),
  /** Mean errors, and words, per segment of the reference; in the file `1/31 0/28`. */
  segments: Type.Array(Type.Object({ errors: Count, tokens: Count })),
  /**
   * Errors that most of the repeats have, by the index of the word in the reference: `12: disposed → posed`, `12+:  → and` and
   * `12++:  → so` for words that were inserted before it.
   */
  errors: Type.Array(Type.String()),
  measures: Measured,
});

export const BaselineSchema = Type.Object({
  baseline: Type.Literal('rxscribe'),
  version: Type.Literal(BASELINE_VERSION),
  suite: Type.String(),
  alignment: Type.Union([Type.Literal('levenshtein'), Type.Literal('sclite')]),
  /** Files by the names of their cases, in order, without streams that failed. */
  files: Type.Record(Type.String(), File),
  /** Totals of the report: the number of streams that ended normally, and their measures. */
  all: Type.Object({
    streams: Count,
    measures: Measured,
    /** Runs of each file, and the standard deviations of the measures between them. */
    runs: Type.Integer({ minimum: 1 }),
    deviations: Measured,
    /** Share of the time in which programs of the machine waited for a processor. */
    waiting: Type.Union([Type.Number(), Type.Null()]),
  }),
});

/** The file that `--update` writes, with which later reports are compared, in a form that is readable in diffs. */
export type Baseline = Static<typeof BaselineSchema>;
export type BaselineFile = Static<typeof File>;
export type BaselineTotals = Baseline['all'];

const COMPARED = ['wer', ...Object.keys(BASELINE_TOLERANCES)];

type Reported = Pick<Report, 'suite' | 'alignment' | 'files' | 'machine' | 'spread' | keyof Measures>;

/**
 * Extracts the values of a report that are compared with later ones.
 *
 * @example
 * await writeBaseline('baseline.json', baselineOf(report));
 */
export function baselineOf(report: Reported): Baseline {
  const well = report.files.filter(({ failure }) => failure === undefined);
  const repeats = Map.groupBy(well, ({ name }) => name);
  return {
    baseline: 'rxscribe',
    version: BASELINE_VERSION,
    suite: report.suite,
    alignment: report.alignment,
    files: Object.fromEntries([...repeats].map(([name, files]) => [name, meanOf(files)])),
    all: {
      streams: well.length,
      measures: comparedMeasures([report]),
      runs: report.spread?.runs ?? 1,
      deviations: deviationsOf(report),
      waiting: report.machine?.waiting ?? null,
    },
  };
}

function deviationsOf({ spread }: Reported): BaselineTotals['deviations'] {
  const all = COMPARED.flatMap(path => {
    const of = spread?.all[path];
    return of ? [[path, rounded(of.deviation)]] : [];
  });
  return Object.fromEntries(all);
}

function meanOf(files: readonly FileReport[]): BaselineFile {
  const [first] = files as readonly [FileReport, ...FileReport[]];
  return {
    rules: first.rules,
    speed: first.speed,
    // Only plain words are compared with their case.
    reference: fingerprint(first, ({ reference }) =>
      first.rules.startsWith('plain-1') ? reference : reference?.toLowerCase(),
    ),
    heard: first.service === 'cassette' ? fingerprint(first, ({ hypothesis }) => hypothesis) : null,
    segments: first.wer === null ? [] : segmentsOf(files),
    errors: errorTexts(files),
    measures: comparedMeasures(files),
  };
}

function errorTexts(files: readonly FileReport[]): string[] {
  const all = files.flatMap(({ alignment }) => {
    let word = 0;
    let inserted = '';
    return alignment.flatMap(({ type, reference = '', hypothesis = '' }) => {
      inserted = type === 'insertion' ? `${inserted}+` : '';
      const place = inserted === '' ? String(word++) : `${word}${inserted}`;
      return type === 'hit' ? [] : [`${place}: ${reference} → ${hypothesis}`];
    });
  });
  const lasting = [...Map.groupBy(all, placeOf).values()].filter(({ length }) => 2 * length > files.length);
  return lasting.flatMap(([text]) => text ?? []);
}

function placeOf(error: string): string {
  return error.slice(0, error.indexOf(':'));
}

/** Returns means of the compared measures, by path. */
function comparedMeasures(all: readonly Measures[]): BaselineTotals['measures'] {
  return Object.fromEntries(
    COMPARED.flatMap(path => {
      const values = all.map(measures => measureAt(measures, path)).filter(value => value !== null);
      return values.length > 0 ? [[path, mean(values)]] : [];
    }),
  );
}

function segmentsOf(files: readonly FileReport[]): BaselineFile['segments'] {
  const segments = meanSegments(files.map(file => file.segments));
  return segments.map(({ errors, tokens }) => ({ errors: rounded(errors), tokens }));
}

/** Returns a hash of words of an alignment. */
function fingerprint(
  { wer, alignment }: FileReport,
  textOf: (word: AlignedWord) => string | undefined,
): string | null {
  if (wer === null) return null;
  const words = alignment.flatMap(word => textOf(word) ?? []);
  const text = JSON.stringify(words);
  return createHash('sha256').update(text).digest('hex').slice(0, 16);
}

/** Decimals in the file, so that the same report gives the same file. */
const DECIMALS = 6;

function rounded(value: number): number {
  return Number(value.toFixed(DECIMALS));
}

function mean(values: readonly number[]): number {
  return rounded(values.reduce((sum, value) => sum + value, 0) / values.length);
}

/** A case that is in both a baseline and a report. */
export interface BaselinePair {
  readonly name: string;
  readonly before: BaselineFile;
  readonly after: BaselineFile;
}

/** Adds up the errors and words of a case. */
export function errorsOf({ segments }: Pick<BaselineFile, 'segments'>): TokenErrors {
  const sum = (name: keyof TokenErrors) => segments.reduce((total, segment) => total + segment[name], 0);
  return { tokens: sum('tokens'), errors: sum('errors') };
}

/** Returns the errors of a case that are new, and those that are gone. */
export function changedErrors({ before, after }: Pick<BaselinePair, 'before' | 'after'>) {
  const notIn = (these: readonly string[], those: readonly string[]) => {
    const places = new Set(those.map(placeOf));
    return these.filter(error => !places.has(placeOf(error)));
  };
  return { added: notIn(after.errors, before.errors), gone: notIn(before.errors, after.errors) };
}

/** Builds a remark on a comparison, without a value. */
export function baselineNote(message: string, passed: boolean, file?: string): GateCheck {
  return { kind: 'baseline', file, measure: 'baseline', passed, message, value: null, limit: 0 };
}
