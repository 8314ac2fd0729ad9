import type { FileReport } from '../measure/fileReport.ts';
import type { AlignedWord } from '../score/scoreTranscript.ts';

/** One error of words, and how often it was made. */
interface CommonError {
  readonly type: 'substitution' | 'deletion' | 'insertion';
  readonly reference: string;
  readonly hypothesis: string;
  readonly count: number;
}

/**
 * The errors that were made most, over all files but those that failed, which no total counts; capitals are the same. Most
 * first, of equal ones the first said.
 */
export function commonErrors(files: readonly FileReport[], limit = 10): readonly CommonError[] {
  const counts = new Map<string, CommonError>();
  const well = files.filter(({ failure }) => failure === undefined);
  for (const word of well.flatMap(({ alignment }) => alignment)) {
    if (word.type === 'hit') continue;
    const key = keyOf(word);
    const { reference = '', hypothesis = '', type } = word;
    const before = counts.get(key) ?? { type, reference, hypothesis, count: 0 };
    counts.set(key, { ...before, count: before.count + 1 });
  }
  return [...counts.values()].sort((one, other) => other.count - one.count).slice(0, limit);
}

function keyOf({ type, reference = '', hypothesis = '' }: AlignedWord): string {
  return JSON.stringify([type, reference.toLowerCase(), hypothesis.toLowerCase()]);
}

/** Files by their errors: those that failed, then the highest word error rate. Without errors none. */
export function worstFiles(files: readonly FileReport[], limit = 5): readonly FileReport[] {
  const badness = ({ failure, wer }: FileReport) => (failure === undefined ? (wer ?? 0) : Infinity);
  return files
    .filter(file => badness(file) > 0)
    .sort((one, other) => compare(badness(other), badness(one)))
    .slice(0, limit);
}

/** Infinity minus Infinity is no number. */
function compare(one: number, other: number): number {
  return one === other ? 0 : one - other;
}
