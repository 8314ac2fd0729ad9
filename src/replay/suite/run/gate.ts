import { type FileReport, MAX_EARLY_SECONDS } from '../../measure/fileReport.ts';
import { LATE_SECONDS, type MachineState } from '../../measure/machineWatch.ts';
import { measureAt, measurePath } from '../../measure/measurePaths.ts';
import type { Delays, Measures } from '../../measure/measures.ts';
import { latestText, measureText, RESULT_FILE, seconds } from '../../report/figures.ts';
import type { CheckKind, GateCheck, GateReport } from '../../report/report.ts';
import type { Thresholds } from '../suite.ts';

/** Measures that depend on the speed of the machine. */
const TIMES = /^(delay\.|upwr$|upsr$)/;

/**
 * Builds the gate, which passes when all checks do.
 *
 * @param machine the machine during streams in real time, on which times mean nothing when this process was late
 */
export function gateOf(all: readonly GateCheck[], { eventLoopP99 }: MachineState = NEVER_LATE): GateReport {
  const isDoubtful = ({ kind, passed, measure, value }: GateCheck) =>
    eventLoopP99 > LATE_SECONDS && kind === 'threshold' && !passed && value !== null && TIMES.test(measure);
  const busy = `invalid: this process was late by ${seconds(eventLoopP99)}`;
  const checks = all.map(check =>
    isDoubtful(check) ? { ...check, isInvalid: true, message: `${check.message}; ${busy}` } : check,
  );
  const failed = checks.filter(({ passed }) => !passed);
  const isInvalid = failed.length > 0 && failed.every(check => 'isInvalid' in check);
  return { passed: failed.length === 0, ...(isInvalid && { isInvalid }), checks };
}

const NEVER_LATE: MachineState = { eventLoopP99: 0 };

/** Checks measures against their limits; a measure without a value fails. */
export function thresholdChecks(
  measures: Measures,
  thresholds: Thresholds,
  of: Pick<GateCheck, 'file'> = {},
): readonly GateCheck[] {
  return Object.entries(thresholds).flatMap(([path, ends]) => {
    const value = measureAt(measures, path);
    return (['max', 'min'] as const).flatMap(end => {
      const limit = ends[end];
      if (limit === undefined) return [];
      const isImpossible = path.startsWith('delay.') && value !== null && value < -MAX_EARLY_SECONDS;
      const isWithin = value !== null && (end === 'max' ? value <= limit : value >= limit);
      const passed = isWithin && !isImpossible;
      const limitation = measureText(path, limit);
      const beyond = isImpossible
        ? 'impossible: results came before their words'
        : `${passed ? 'not ' : ''}${end === 'max' ? 'above' : 'below'} ${limitation}`;
      const message =
        value === null
          ? `${path} has no value to compare with ${limitation}: ${absence(measures, path)}`
          : `${path} ${measureText(path, value)} is ${beyond}${end === 'max' ? lateWords(measures, path, limit) : ''}`;
      return [{ ...of, kind: 'threshold' as const, measure: path, passed, message, value, limit }];
    });
  });
}

/** Returns why a measure has no value. */
function absence({ keywords }: Measures, path: string): string {
  if (path === 'keywords.recall' && keywords) return 'the reference has none of the keywords';
  return measurePath(path)?.absent ?? 'it was not measured';
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
  return files.flatMap(({ name, service, failure, isExpected = false, mismatches }) => {
    const stream = { file: name, passed: isExpected, limit: 0 };
    const check = (kind: CheckKind, message: string, value: number | null): GateCheck => {
      return { ...stream, kind, measure: kind, message, value };
    };
    if (isExpected) return [check('stream', `the stream failed as expected: ${failure}`, null)];
    if (failure !== undefined) return [check('stream', `the stream failed: ${failure}`, null)];
    const [first] = mismatches;
    if (first === undefined) return [];
    const subject =
      service === 'cassette' || service === RESULT_FILE
        ? 'the cassette does not fit'
        : 'the results do not fit the audio';
    return [check('mismatches', `${subject}: ${first}`, mismatches.length)];
  });
}
