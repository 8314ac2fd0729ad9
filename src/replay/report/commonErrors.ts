import type { FileReport } from '../measure/fileReport.ts';
import { NOTHING } from './figures.ts';
import type { ReportTable } from './report.ts';

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
