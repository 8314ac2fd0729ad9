import type { FileReport } from '../../measure/fileReport.ts';
import { measureAt, measurePath } from '../../measure/measurePaths.ts';
import type { Measures } from '../../measure/measures.ts';
import { measureText } from '../../report/figures.ts';
import type { CheckKind, GateCheck, GateReport, Report } from '../../report/report.ts';
import type { Thresholds } from '../suite.ts';

/** Passed when all of them are. */
export function gateOf(checks: readonly GateCheck[]): GateReport {
  return { passed: checks.every(({ passed }) => passed), checks };
}

/** Whether every stream came to its end: figures of a report that is not whole are of those that did. */
export function isWhole({ gate }: Pick<Report, 'gate'>): boolean {
  return gate.checks.every(({ kind, passed }) => passed || (kind !== 'stream' && kind !== 'streams'));
}

/** Whether measures keep to their limits; a limit of what could not be measured is not kept. */
export function thresholdChecks(
  measures: Measures,
  thresholds: Thresholds,
  of: Pick<GateCheck, 'file'> = {},
): readonly GateCheck[] {
  return Object.entries(thresholds).flatMap(([path, ends]) => {
    const value = measureAt(measures, path);
    return (['max', 'min'] as const).flatMap(end => {
      const limit = ends[end];
      return limit === undefined ? [] : [{ ...of, ...limitCheck({ path, value, end, limit }) }];
    });
  });
}

interface LimitOf {
  readonly path: string;
  readonly value: number | null;
  readonly end: 'min' | 'max';
  readonly limit: number;
}

function limitCheck({ path, value, end, limit }: LimitOf): GateCheck {
  const passed = value !== null && (end === 'max' ? value <= limit : value >= limit);
  const message = limitText({ path, value, end, limit }, passed);
  return { kind: 'threshold', measure: path, passed, message, value, limit };
}

function limitText({ path, value, end, limit }: LimitOf, passed: boolean): string {
  const limitation = measureText(path, limit);
  if (value === null) {
    const reason = measurePath(path)?.absent ?? 'it was not measured';
    return `${path} has no value to hold against ${limitation}: ${reason}`;
  }
  const beyond = end === 'max' ? 'above' : 'below';
  return `${path} ${measureText(path, value)} is ${passed ? 'not ' : ''}${beyond} ${limitation}`;
}

/** What is wrong with the streams themselves: those that failed, and cassettes whose answers did not fit. */
export function streamChecks(files: readonly FileReport[]): readonly GateCheck[] {
  return files.flatMap(({ name, repeat, failure, mismatches }) => {
    const failed = (kind: CheckKind, message: string, value: number | null): GateCheck => ({
      ...{ kind, file: name, repeat, measure: kind, passed: false, message, value, limit: 0 },
    });
    if (failure !== undefined) return [failed('stream', `the stream failed: ${failure}`, null)];
    const [first] = mismatches;
    if (first === undefined) return [];
    return [failed('mismatches', `the cassette does not fit: ${first}`, mismatches.length)];
  });
}
