import { systemClock } from '../../../base/clock.ts';
import { InvalidArgumentError } from '../../../base/errors.ts';
import { SOFTWARE_VERSIONS } from '../../cassette/cassette.ts';
import type { FileReport, MeasuredFile } from '../../measure/fileReport.ts';
import { totalMeasures } from '../../measure/fileReport.ts';
import { MachineWatch } from '../../measure/machineWatch.ts';
import { checkFaults } from '../../play/faults/faultSchedule.ts';
import { type GateCheck, REPORT_VERSION, type Report } from '../../report/report.ts';
import type { SessionRun } from '../../session/sessionRun.ts';
import { type Baseline, comparedValues } from '../baseline/baseline.ts';
import { compareBaseline } from '../baseline/compareBaseline.ts';
import type { Suite, SuiteService } from '../suite.ts';
import { gateOf, streamChecks, thresholdChecks } from './gate.ts';
import { runCase } from './runCase.ts';

export interface RunSuiteOptions {
  /** Service for cases of audio, and for cassettes whose audio goes to a service. */
  readonly service?: SuiteService;
  /** Baseline to compare the report with. */
  readonly baseline?: Baseline;
  /** True to fail for each word that is newly wrong. */
  readonly isStrict?: boolean;
  /** Ends all streams; the finished ones are reported. */
  readonly signal?: AbortSignal;
  /** Called for each block of audio, so it has to be fast. */
  readonly onProgress?: (progress: SuiteProgress) => void;
  /** Called with each run when it is measured, for measures that a report does not have. */
  readonly onRun?: (name: string, run: SessionRun) => void;
  /** Called for damaged audio, which is streamed as far as it goes. */
  readonly onWarning?: (name: string, message: string) => void;
}

export interface SuiteProgress {
  /** Number of streams that have ended, of `streams`. */
  readonly done: number;
  readonly streams: number;
  /** Seconds of audio streamed so far. */
  readonly seconds: number;
  /**
   * Report that has just been measured. With several simultaneous real-time streams, measuring follows after all
   * streams.
   */
  readonly file?: FileReport;
}

/**
 * Streams all cases and reports the results. A case that fails is a failure in the report and does
 * not end the others.
 *
 * @throws InvalidArgumentError when a case needs a service and none is given, or for faults that cannot happen there
 * @example
 * const suite = await readSuite(['suite.yaml']);
 * const report = await runSuite(suite, { service: { url, token, shownAs: url } });
 * if (!report.gate.passed) process.exitCode = 1;
 */
export async function runSuite(suite: Suite, options: RunSuiteOptions = {}): Promise<Report> {
  const { service, signal, onProgress, onRun, onWarning } = options;
  const needy = suite.cases.find(each => each.service === 'service');
  if (needy && !service) {
    throw new InvalidArgumentError(`Case '${needy.name}' needs a service. Set option 'service'.`);
  }
  using watch = new MachineWatch();
  for (const { name, faults, service: by } of suite.cases)
    checkFaults(faults, by === 'service' ? 'proxy' : 'play', ` of case '${name}'`);
  const createdAt = timeNow();
  let done = 0;
  let seconds = 0;
  const reportProgress = (file?: FileReport) =>
    onProgress?.({ done, streams: suite.cases.length, seconds, file });
  reportProgress();
  const isLater = measuresLater(suite);
  const outcomes = await inParallel(
    suite.cases,
    suite.concurrency,
    async (suiteCase, ending) => {
      const measure = await runCase(suiteCase, {
        suite,
        service,
        signal: ending,
        onAudio(more) {
          seconds += more;
          reportProgress();
        },
        onRun: run => onRun?.(suiteCase.name, run),
        onWarning: message => onWarning?.(suiteCase.name, message),
      });
      done++;
      reportProgress();
      const measured = () => {
        const result = measure();
        reportProgress(result.report);
        return result;
      };
      if (isLater) return measured;
      const result = measured();
      return () => result;
    },
    signal,
  );
  const results = outcomes.map(measured => measured?.());
  const { baseline, isStrict } = options;
  // Recordings answer in virtual time.
  const machine = needy ? watch.state() : undefined;
  return reportOf(suite, results, { createdAt, baseline, isStrict, machine });
}

/** Returns the time for a report. */
export const timeNow = () => new Date(systemClock.wallTime()).toISOString();

/** Returns whether measuring one stream would delay another one, and with it its results. */
function measuresLater({ cases, concurrency }: Suite): boolean {
  return concurrency > 1 && cases.some(({ service, speed }) => service === 'service' && speed !== 'max');
}

/** Builds the report of a suite from its measured streams; those that did not end are missing. */
export function reportOf(
  suite: Suite,
  results: readonly (MeasuredFile | undefined)[],
  {
    createdAt = timeNow(),
    baseline,
    isStrict,
    machine,
  }: Pick<RunSuiteOptions, 'baseline' | 'isStrict'> & Partial<Pick<Report, 'createdAt' | 'machine'>>,
): Report {
  const { name, seed, thresholds } = suite;
  const measured = results.filter(result => result !== undefined);
  const files = measured.map(({ report }) => report);
  const total = totalMeasures(measured, seed);
  const head = { suite: name, rules: [...new Set(files.map(({ rules }) => rules))], files };
  const hasRun = files.some(({ failure }) => failure === undefined);
  const checks: readonly GateCheck[] = [
    ...interruptionChecks(results.length - measured.length, results.length),
    ...streamChecks(files),
    ...(hasRun ? thresholdChecks(total, thresholds) : []),
    ...caseChecks(suite, files),
    ...(baseline && hasRun
      ? compareBaseline(baseline, comparedValues(head), {
          isStrict,
          failed: new Set(files.filter(({ failure }) => failure !== undefined).map(({ name: file }) => file)),
        })
      : []),
  ];
  // ICU determines the words of a text.
  const software = { ...SOFTWARE_VERSIONS, icu: process.versions.icu! };
  return {
    report: 'rxscribe',
    version: REPORT_VERSION,
    createdAt,
    ...head,
    ...(machine && { machine }),
    software,
    ...total,
    gate: gateOf(checks, machine),
  };
}

/** Checks the thresholds of each case; a case without a finished stream has failed already. */
function caseChecks({ cases }: Suite, files: readonly FileReport[]): readonly GateCheck[] {
  const well = new Map(files.filter(({ failure }) => failure === undefined).map(file => [file.name, file]));
  return cases.flatMap(({ name, thresholds }) => {
    const report = well.get(name);
    return report ? thresholdChecks(report, thresholds, { file: name }) : [];
  });
}

function interruptionChecks(missing: number, streams: number): readonly GateCheck[] {
  if (missing === 0) return [];
  const message = `interrupted: ${missing} of ${streams} streams did not finish`;
  const figures = { value: streams - missing, limit: streams };
  return [{ kind: 'streams', measure: 'streams', passed: false, message, ...figures }];
}

/**
 * Processes items in order, a number of them at a time. Resolves with the results, undefined for items that were not
 * started or not finished when the signal was aborted.
 *
 * @param work should end soon when its signal is aborted: after a failure of other work or of the caller's signal
 * @throws the first error of the work, after all of it has ended; nothing when the caller's signal is aborted
 */
export async function inParallel<Item, Result>(
  items: readonly Item[],
  atOnce: number,
  work: (item: Item, signal: AbortSignal) => Promise<Result>,
  signal?: AbortSignal,
): Promise<readonly (Result | undefined)[]> {
  const failed = new AbortController();
  const ending = signal ? AbortSignal.any([signal, failed.signal]) : failed.signal;
  const results = items.map((): Result | undefined => undefined);
  const open = items.entries();
  async function worker(): Promise<void> {
    for (const [index, item] of open) {
      if (ending.aborted) return;
      try {
        results[index] = await work(item, ending);
      } catch (error) {
        if (!ending.aborted) failed.abort(error);
      }
    }
  }
  await Promise.all(Array.from({ length: Math.min(atOnce, items.length) }, worker));
  if (failed.signal.aborted) throw failed.signal.reason;
  return results;
}
