import { holesOf } from '../../transcript/model/coverage.ts';
import type { FileReport } from '../measure/fileReport.ts';
import type { Measures } from '../measure/measures.ts';
import { clock, NOTHING, percent } from './figures.ts';
import type { Report, ReportTable } from './report.ts';

/** A word error and its number of occurrences. */
interface CommonError {
  readonly type: 'substitution' | 'deletion' | 'insertion';
  readonly reference: string;
  readonly hypothesis: string;
  readonly count: number;
}

/**
 * Returns the most frequent word errors over all files without a failure, regardless of case, in order of frequency and
 * then of occurrence.
 */
export function commonErrors(files: readonly FileReport[], limit = 10): readonly CommonError[] {
  const counts = new Map<string, CommonError>();
  const well = files.filter(({ failure }) => failure === undefined);
  for (const word of well.flatMap(({ alignment }) => alignment)) {
    const { reference = '', hypothesis = '', type } = word;
    if (type === 'hit') continue;
    const key = JSON.stringify([type, reference.toLowerCase(), hypothesis.toLowerCase()]);
    const before = counts.get(key) ?? { type, reference, hypothesis, count: 0 };
    counts.set(key, { ...before, count: before.count + 1 });
  }
  return [...counts.values()].sort((one, other) => other.count - one.count).slice(0, limit);
}

/** Returns the table of {@link commonErrors}. */
export function commonErrorsTable(files: readonly FileReport[]): ReportTable {
  const rows = commonErrors(files).map(({ type, reference, hypothesis, count }) => [
    ...[reference || NOTHING, hypothesis || NOTHING],
    ...[type, String(count)],
  ]);
  return { title: 'Most common errors', titles: ['Said', 'Heard', 'Error', 'Times'], rows, texts: 3 };
}

/**
 * Returns the files with the most errors: failed ones first, then those with the highest word error rate; none without
 * errors.
 */
export function worstFiles(files: readonly FileReport[], limit = 5): readonly FileReport[] {
  const badness = ({ failure, isExpected, wer }: FileReport) =>
    isExpected ? 0 : failure === undefined ? (wer ?? 0) : Infinity;
  return (
    files
      .filter(file => badness(file) > 0)
      // Infinity minus Infinity is NaN.
      .sort((one, other) => badness(other) - badness(one) || 0)
      .slice(0, limit)
  );
}

/** Returns the tables of a report besides those of its files and checks, without empty ones. */
export function groupTables(report: Report): readonly ReportTable[] {
  return [speakersTable(report), keywordsTable(report)].filter(({ rows }) => rows.length > 0);
}

export function speakersTable({ speakers }: Measures): ReportTable {
  const rows = speakers.map(({ speaker, wer, words }) => [
    ...[speaker, percent(wer)],
    ...[words.substitutions, words.deletions, words.insertions, words.tokens].map(String),
  ]);
  return { title: 'Speakers', titles: ['Speaker', 'WER', 'Sub', 'Del', 'Ins', 'Words'], rows, texts: 1 };
}

function keywordsTable({ keywords }: Measures): ReportTable {
  const words = keywords?.keywords ?? [];
  const rows = words.map(({ keyword, said, heard }) => [keyword, String(said), String(heard)]);
  return { title: 'Keywords', titles: ['Keyword', 'Said', 'Heard'], rows, texts: 1 };
}

/** Returns the audio that was not transcribed, and why; no rows without holes. */
export function holesTable({ files }: Report): ReportTable {
  const rows = files.flatMap(file =>
    holesOf(file.coverageSpans).map(({ ts, endTs, cause = NOTHING }) => [
      ...[file.name, cause],
      ...[ts, endTs].map(clock),
    ]),
  );
  return { title: 'Holes', titles: ['File', 'Cause', 'Start', 'End'], rows, texts: 2 };
}
