import { type FileReport, MAX_EARLY_SECONDS } from '../../measure/fileReport.ts';
import { LATE_SECONDS, type MachineState } from '../../measure/machineWatch.ts';
import { measureAt, measurePath } from '../../measure/measurePaths.ts';
import type { Delays, Measures } from '../../measure/measures.ts';
import { latestText, measureText, percent, seconds } from '../../report/figures.ts';
import type { CheckKind, GateCheck, GateReport } from '../../report/report.ts';
import type { Thresholds } from '../suite.ts';

/**
 * Builds the gate, which passes when all checks do.
 *
 * @param busy reason for which times that were measured mean nothing; undefined when they do
 */
export function gateOf(all: readonly GateCheck[], busy?: string): GateReport {
  const isDoubtful = ({ passed, measure, value }: GateCheck) =>
    busy !== undefined && !passed && value !== null && TIMES.test(measure);
  const checks = all.map(check =>
    isDoubtful(check) ? { ...check, isInvalid: true, message: `${check.message}; ${busy}` } : check,
  );
  const failed = checks.filter(({ passed }) => !passed);
  const isInvalid = failed.length > 0 && failed.every(check => 'isInvalid' in check);
  return { passed: failed.length === 0, ...(isInvalid && { isInvalid }), checks };
}

/** Measures that depend on the speed of the machine. */
const TIMES = /^(delay\.|upwr$|upsr$)/;
/** Share of the time in which programs may wait for a processor without a baseline. */
const MAX_WAITING = 0.5;

/** Returns why the times of a run mean nothing; undefined when they do. */
export function busyMachine(
  { eventLoopP99, waiting }: MachineState,
  before: number | null = null,
): string | undefined {
  if (eventLoopP99 > LATE_SECONDS) return `invalid: this process was late by ${seconds(eventLoopP99)}`;
  const most = before === null ? MAX_WAITING : 2 * before + 0.02;
  if (waiting === null || waiting <= most) return undefined;
  const earlier = before === null ? '' : `, of the baseline in ${percent(before)}`;
  return `invalid: programs of this machine waited for a processor in ${percent(waiting)} of the time${earlier}`;
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
      const isImpossible = path.startsWith('delay.') && value !== null && value < -MAX_EARLY_SECONDS;
      const isWithin = value !== null && (end === 'max' ? value <= limit : value >= limit);
      const passed = isWithin && !isImpossible;
      const limitation = measureText(path, limit);
      const beyond = isImpossible
        ? 'impossible: results came before their words'
        : `${passed ? 'not ' : ''}${end === 'max' ? 'above' : 'below'} ${limitation}`;
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
    const stream = { file: name, repeat, passed: isExpected, limit: 0 };
    const check = (kind: CheckKind, message: string, value: number | null): GateCheck => {
      return { ...stream, kind, measure: kind, message, value };
    };
    if (isExpected) return [check('stream', `the stream failed as expected: ${failure}`, null)];
    if (failure !== undefined) return [check('stream', `the stream failed: ${failure}`, null)];
    const [first] = mismatches;
    if (first === undefined) return [];
    const subject = service === 'cassette' ? 'the cassette does not fit' : 'the results do not fit the audio';
    return [check('mismatches', `${subject}: ${first}`, mismatches.length)];
  });
}
