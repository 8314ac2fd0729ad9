import type { FileReport } from '../../measure/fileReport.ts';
import { measureAt, measurePath } from '../../measure/measurePaths.ts';
import type { Delays, Measures } from '../../measure/measures.ts';
import { latestText, measureText } from '../../report/figures.ts';
import type { CheckKind, GateCheck, GateReport } from '../../report/report.ts';
import type { Thresholds } from '../suite.ts';

/** Builds the gate, which passes when all checks do. */
export function gateOf(checks: readonly GateCheck[]): GateReport {
  return { passed: checks.every(({ passed }) => passed), checks };
}

/** Checks measures against their limits; a measure without a value fails. */
export function thresholdChecks(
  measures: Measures,
  thresholds: Thresholds,
  of: Pick<GateCheck, 'file' | 'cohort'> = {},
): readonly GateCheck[] {
  return Object.entries(thresholds).flatMap(([path, ends]) => {
    const value = measureAt(measures, path);
    return (['max', 'min'] as const).flatMap(end => {
      const limit = ends[end];
      if (limit === undefined) return [];
      const passed = value !== null && (end === 'max' ? value <= limit : value >= limit);
      const limitation = measureText(path, limit);
      const beyond = `${passed ? 'not ' : ''}${end === 'max' ? 'above' : 'below'} ${limitation}`;
      const message =
        value === null
          ? `${path} has no value to compare with ${limitation}: ${measurePath(path)?.absent ?? 'it was not measured'}`
          : `${path} ${measureText(path, value)} is ${beyond}${end === 'max' ? lateWords(measures, path, limit) : ''}`;
      return [{ ...of, kind: 'threshold' as const, measure: path, passed, message, value, limit }];
    });
  });
}

/** Names the words whose delay is above the limit of a delay. */
function lateWords({ delay }: Measures, path: string, limit: number): string {
  const [group, kind] = path.split('.');
  const quantiles = group === 'delay' ? delay?.[kind as keyof Delays] : undefined;
  const words = quantiles ? latestText(quantiles, limit) : '';
  return words === '' ? '' : `: ${words}`;
}

/** Checks the streams themselves: failures, and cassettes whose answers did not match. */
export function streamChecks(files: readonly FileReport[]): readonly GateCheck[] {
  return files.flatMap(({ name, repeat, service, failure, isExpected = false, mismatches }) => {
    const check = (kind: CheckKind, message: string, value: number | null): GateCheck => ({
      kind,
      file: name,
      repeat,
      measure: kind,
      passed: isExpected,
      message,
      value,
      limit: 0,
    });
    if (isExpected) return [check('stream', `the stream failed as expected: ${failure}`, null)];
    if (failure !== undefined) return [check('stream', `the stream failed: ${failure}`, null)];
    const [first] = mismatches;
    if (first === undefined) return [];
    const subject = service === 'cassette' ? 'the cassette does not fit' : 'the results do not fit the audio';
    return [check('mismatches', `${subject}: ${first}`, mismatches.length)];
  });
}
