import { counted } from '../../base/text.ts';
import type { DelayQuantiles } from '../measure/delays.ts';
import type { FileReport } from '../measure/fileReport.ts';
import { measurePath } from '../measure/measurePaths.ts';
import type { Quantiles } from '../measure/quantiles.ts';
import type { Interval } from '../score/bootstrap.ts';
import type { GateCheck, GateReport, Spread } from './report.ts';

/** Placeholder for a missing value. */
export const NOTHING = '–';

/** Returns a function that formats a value, and a missing one as {@link NOTHING}. */
function orNothing<T extends object | number>(format: (value: T) => string) {
  return (value: T | null | undefined) => (value === null || value === undefined ? NOTHING : format(value));
}

/** Formats a ratio: 0.1234 is `12.34 %`. */
export const percent = orNothing((ratio: number) => `${(100 * ratio).toFixed(2)} %`);

/** Formats seconds as `1.25 s`. */
export const seconds = orNothing((value: number) => `${value.toFixed(2)} s`);

/** Formats seconds as a player does: `0:02.9`, `1:02`, `1:02:03`; with tenths below a minute. */
export function clock(value: number): string {
  const tenths = Math.round(10 * value);
  if (tenths < 600) return `0:${(tenths / 10).toFixed(1).padStart(4, '0')}`;
  const whole = Math.round(value);
  const pad = (part: number) => String(part).padStart(2, '0');
  const [hours, minutes] = [Math.floor(whole / 3600), Math.floor(whole / 60) % 60];
  return hours > 0 ? `${hours}:${pad(minutes)}:${pad(whole % 60)}` : `${minutes}:${pad(whole % 60)}`;
}

/** Formats a count. */
export const figure = orNothing((value: number) => String(value));

/** Formats an interval as `10.00 % to 14.50 %`. */
export const interval = orNothing(({ low, high }: Interval) => `${percent(low)} to ${percent(high)}`);

/** Formats the median, 95th and 99th percentile as `0.41 / 0.93 / 1.20 s`. */
export const quantiles = orNothing(
  ({ p50, p95, p99 }: Quantiles) => `${[p50, p95, p99].map(each => each.toFixed(2)).join(' / ')} s`,
);

/** Names the words whose delay is above a limit in seconds, such as `'posed.' at 0:02.9 of talk (1.43 s)`. */
export function latestText({ latest }: DelayQuantiles, limit: number): string {
  return latest
    .filter(delay => delay.seconds > limit)
    .map(
      delay =>
        `'${delay.text}' at ${clock(delay.endTs)}${delay.file === undefined ? '' : ` of ${delay.file}`} (${seconds(delay.seconds)})`,
    )
    .join(', ');
}

/** Returns the name of a file, with the number of its run where that is given. */
function runTitle(name: string, run: number | undefined): string {
  return run === undefined ? name : `${name} (run ${run})`;
}

/** Returns the verdict of a gate, or of a check. */
export function verdictOf({ passed, isInvalid }: Pick<GateReport, 'passed' | 'isInvalid'>) {
  return passed ? 'passed' : isInvalid ? 'invalid' : 'failed';
}

/** Counts the runs that failed without being expected to. */
export function countFailed(files: readonly Pick<FileReport, 'failure' | 'isExpected'>[]): number {
  return files.filter(({ failure, isExpected }) => failure !== undefined && !isExpected).length;
}

/** Marks of verdicts on a page. */
export const VERDICT_MARKS = { passed: '✓', invalid: '!', failed: '✗' } as const;

/** Names what a check is about: a file, a cohort, or all files. */
export function subjectOf({ file, repeat, cohort }: Pick<GateCheck, 'file' | 'repeat' | 'cohort'>): string {
  return file === undefined ? (cohort ?? 'all files') : runTitle(file, repeat);
}

/** Service of a report on a file of results, which no service answered. */
export const RESULT_FILE = 'file';

/** Returns what the runs of a report tested: the services that answered, the client alone, or the words of a file. */
export function testedText(files: readonly Pick<FileReport, 'service'>[]): string {
  return [...Map.groupBy(files, ({ service }) => service)]
    .map(([service, { length }]) => {
      if (service === RESULT_FILE)
        return `${counted(length, 'result')} from a file, of which only words are tested`;
      return service === 'cassette'
        ? `${counted(length, 'run')} answered by the recording, which tests the client only`
        : `${counted(length, 'run')} answered by ${service.replace(/^embedded\b/, 'an embedded service')}`;
    })
    .join('; ');
}

/** Returns a function that names files, with the run where there are several of a file. */
export function titlesOf(files: readonly FileReport[]): (file: FileReport) => string {
  const repeated = new Set(files.filter(({ repeat }) => repeat > 1).map(({ name }) => name));
  return ({ name, repeat }) => runTitle(name, repeated.has(name) ? repeat : undefined);
}

/** Formats the median of runs, with minimum and maximum if they differ: `12.50 % (11.90–13.40 %)`. */
export function spreadText(measure: string, { min, median, max }: Spread): string {
  const [least, middle, most] = [min, median, max].map(value => measureText(measure, value)) as [
    string,
    string,
    string,
  ];
  if (least === most) return middle;
  return `${middle} (${least.replace(/ \D+$/, '')}–${most})`;
}

/** Formats a measure: ratios in percent, delays in seconds. */
export function measureText(measure: string, value: number): string {
  if (measurePath(measure)?.isRate) return percent(value);
  if (measure.startsWith('delay.') && !measure.endsWith('.count')) return seconds(value);
  return String(Number(value.toFixed(3)));
}
