import { counted } from '../../base/text.ts';
import type { DelayQuantiles, Quantiles } from '../measure/delays.ts';
import type { FileReport } from '../measure/fileReport.ts';
import { measurePath } from '../measure/measurePaths.ts';
import type { Measures } from '../measure/measures.ts';
import type { Interval } from '../score/bootstrap.ts';
import type { GateCheck, GateReport } from './report.ts';

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
  const hours = Math.floor(whole / 3600);
  const minutes = Math.floor(whole / 60) % 60;
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

/** Names what a check is about: a file, or all files. */
export function subjectOf({ file = 'all files' }: Pick<GateCheck, 'file'>): string {
  return file;
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

/** Formats a measure: ratios in percent, delays in seconds. */
export function measureText(measure: string, value: number): string {
  if (measurePath(measure)?.isRate) return percent(value);
  if (measure.startsWith('delay.') && !measure.endsWith('.count')) return seconds(value);
  return String(Number(value.toFixed(3)));
}

/** Measures of one run, or of all runs. */
export type Compared = Measures & {
  readonly reference?: FileReport['reference'];
  readonly service?: string;
  readonly files?: readonly Pick<FileReport, 'reference' | 'service'>[];
};

const MARK = ' †';

/** Meaning of the mark after a rate. */
export const AGREEMENT =
  'compared with the recorded transcript, not with a reference: a rate of disagreement, not an error rate';

/** Note below tables with marks. */
export const AGREEMENT_NOTE = `† ${AGREEMENT}`;

/** Returns whether words were compared with the transcript that a cassette recorded. */
export function isAgreement({ reference, files = [] }: Omit<Compared, keyof Measures>): boolean {
  return reference === 'recording' || files.some(file => file.reference === 'recording');
}

/** Returns the mark for a rate of agreement, which is not an error rate; else an empty text. */
export function agreementMark(compared: Compared): string {
  return compared.wer !== null && isAgreement(compared) ? MARK : '';
}
