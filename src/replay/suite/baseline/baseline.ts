import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { type Static, Type } from 'typebox';
import { Value } from 'typebox/value';
import { RxscribeError, reasonOf, refuseIf, unreadable } from '../../../base/errors.ts';
import { jsonOf } from '../../../transcript/formats/jsonOf.ts';
import type { FileReport } from '../../measure/fileReport.ts';
import { measuresAt } from '../../measure/measurePaths.ts';
import type { GateCheck, Report } from '../../report/report.ts';
import { writeAtomically } from '../../report/writeAtomically.ts';
import { tokenErrors } from '../../score/errorCounts.ts';
import type { AlignedWord } from '../../score/scoreTranscript.ts';

/** Version of the file that `--update` writes. */
export const BASELINE_VERSION = 1;

/** Compared measures besides the words; p99 and the maximum of delays vary too much. */
export const COMPARED: readonly string[] = [
  ...['cer', 'keywords.recall', 'delay.firstPartial.p50', 'delay.word.p50', 'delay.word.p95'],
  ...['delay.final.p50', 'delay.final.p95', 'upwr', 'upsr', 'coverage', 'reconnects'],
];

const Count = Type.Integer({ minimum: 0 });

const File = Type.Object({
  /** Rule set that normalized the words. */
  rules: Type.String(),
  speed: Type.Union([Type.Number({ exclusiveMinimum: 0 }), Type.Literal('max')]),
  /** Hash of the words of the reference; null without one. */
  reference: Type.Union([Type.String(), Type.Null()]),
  /** Words of a reference that is the recording of a cassette, separated by spaces. */
  recorded: Type.Optional(Type.String()),
  /** Hash of the recognized words of a cassette that answers itself, which are the same in each run. Else null. */
  heard: Type.Union([Type.String(), Type.Null()]),
  /** Number of words of the reference, and of errors; null without a reference. */
  words: Type.Union([Type.Object({ tokens: Count, errors: Count }), Type.Null()]),
  /**
   * Errors by the index of the word in the reference: `12: disposed → posed`, `12+:  → and` and
   * `12++:  → so` for words that were inserted before it.
   */
  errors: Type.Array(Type.String()),
  /** Values of {@link COMPARED}, without unmeasured ones. */
  measures: Type.Record(Type.String(), Type.Number()),
});

export const BaselineSchema = Type.Object({
  baseline: Type.Literal('rxscribe'),
  version: Type.Literal(BASELINE_VERSION),
  suite: Type.String(),
  /** Files by the names of their cases, in order, without streams that failed. */
  files: Type.Record(Type.String(), File),
});

/** The file that `--update` writes, with which later reports are compared, in a form that is readable in diffs. */
export type Baseline = Static<typeof BaselineSchema>;
export type BaselineFile = Static<typeof File>;

type Reported = Pick<Report, 'suite' | 'files'>;

/**
 * Extracts the values of a report that are compared with later ones.
 *
 * @throws InvalidArgumentError for a report with a stream that failed or did not finish
 *
 * @example
 * await writeBaseline('baseline.json', baselineOf(report));
 */
export function baselineOf(report: Reported & Partial<Pick<Report, 'gate'>>): Baseline {
  const failed = report.files.find(({ failure, isExpected }) => failure !== undefined && !isExpected);
  refuseIf(
    failed,
    `A baseline requires a run without failures, but '${failed?.name}' failed: ${failed?.failure}`,
  );
  const missing = report.gate?.checks.find(({ kind, passed }) => kind === 'streams' && !passed);
  refuseIf(missing, `A baseline requires a run without failures, but it was ${missing?.message}.`);
  return comparedValues(report);
}

/** Returns the values of a report that are compared with a baseline. Streams that failed are left out. */
export function comparedValues({ suite, files }: Reported): Baseline {
  const well = files.filter(({ failure }) => failure === undefined);
  return {
    baseline: 'rxscribe',
    version: BASELINE_VERSION,
    suite,
    files: Object.fromEntries(well.map(file => [file.name, valuesOf(file)])),
  };
}

function valuesOf(file: FileReport): BaselineFile {
  const { rules, speed, service, words, alignment } = file;
  return {
    rules,
    speed,
    // Only plain words are compared with their case.
    reference: fingerprint(file, ({ reference }) =>
      rules.startsWith('plain-1') ? reference : reference?.toLowerCase(),
    ),
    ...(file.reference === 'recording' && {
      recorded: alignment.flatMap(({ reference }) => reference ?? []).join(' '),
    }),
    heard: service === 'cassette' ? fingerprint(file, ({ hypothesis }) => hypothesis) : null,
    words: words && tokenErrors(words),
    errors: errorTexts(file),
    measures: measuresAt(file, COMPARED),
  };
}

function errorTexts({ alignment }: FileReport): string[] {
  let word = 0;
  let inserted = '';
  return alignment.flatMap(({ type, reference = '', hypothesis = '' }) => {
    inserted = type === 'insertion' ? `${inserted}+` : '';
    const place = inserted === '' ? String(word++) : `${word}${inserted}`;
    return type === 'hit' ? [] : [`${place}: ${reference} → ${hypothesis}`];
  });
}

function placeOf(error: string): string {
  return error.slice(0, error.indexOf(':'));
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

/** A case that is in both a baseline and a report. */
export interface BaselinePair {
  readonly name: string;
  readonly before: BaselineFile;
  readonly after: BaselineFile;
}

/** Returns whether a cassette gave the results of both runs, so that virtual time makes them equal. */
export function isExact({ before, after }: BaselinePair): boolean {
  return before.heard !== null && after.heard !== null;
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

/**
 * Reads a baseline that `--update` wrote.
 *
 * @throws RxscribeError `unreadable-input` for any other file
 *
 * @example
 * const baseline = await readBaseline('baseline.json');
 * console.log(Object.keys(baseline.files));
 */
export async function readBaseline(path: string): Promise<Baseline> {
  const refuse = (fault: string, cause?: unknown) => unreadable(`the baseline '${path}'`, fault, cause);
  const text = await readFile(path, 'utf8').catch(cause => {
    throw refuse(`${reasonOf(cause)}. Run the suite with --update to write one`, cause);
  });
  const file = jsonOf(text) as { baseline?: unknown; version?: unknown } | null | undefined;
  if (file?.baseline === undefined) throw refuse('it is not a file that --update wrote');
  if (file.version !== BASELINE_VERSION) {
    throw refuse(
      `it has version ${String(file.version)}, not ${BASELINE_VERSION}. Run the suite with --update to write it again`,
    );
  }
  if (Value.Check(BaselineSchema, file)) return file;
  const [error] = Value.Errors(BaselineSchema, file);
  throw refuse(`${error?.instancePath || 'the file'} ${error?.message ?? 'was changed'}`);
}

/**
 * Writes a baseline atomically.
 *
 * @throws RxscribeError `store` when it cannot be written
 *
 * @example
 * await writeBaseline('baseline.json', baselineOf(report));
 */
export async function writeBaseline(path: string, baseline: Baseline): Promise<void> {
  const text = `${JSON.stringify(baseline, null, 2)}\n`;
  await writeAtomically(path, text).catch(cause => {
    throw new RxscribeError('store', `Cannot write the baseline '${path}': ${reasonOf(cause)}.`, { cause });
  });
}
