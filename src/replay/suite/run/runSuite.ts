import { systemClock } from '../../../base/clock.ts';
import { InvalidArgumentError } from '../../../base/errors.ts';
import { SOFTWARE_VERSIONS } from '../../cassette/cassette.ts';
import type { FileReport, MeasuredFile } from '../../measure/fileReport.ts';
import { MachineWatch } from '../../measure/machineWatch.ts';
import { totalMeasures } from '../../measure/totalMeasures.ts';
import { checkFaults } from '../../play/faults/faultSchedule.ts';
import type { GateCheck, Report } from '../../report/report.ts';
import { REPORT_VERSION } from '../../report/reportSchema.ts';
import type { SessionRun } from '../../session/sessionRun.ts';
import { type Baseline, baselineOf } from '../baseline/baseline.ts';
import { compareBaseline } from '../baseline/compareBaseline.ts';
import type { Suite, SuiteService } from '../suite.ts';
import { cohortChecks, cohortsOf, namesByCohort } from './cohorts.ts';
import { busyMachine, gateOf, streamChecks, thresholdChecks } from './gate.ts';
import { inParallel } from './inParallel.ts';
import { runCase } from './runCase.ts';
import { runSpread } from './runSpread.ts';

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
 * Streams all cases with their repeats and reports the results. A case that fails is a failure in the report and does
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
  const streams = suite.cases.flatMap(suiteCase =>
    Array.from({ length: suite.repeats }, (_, index) => ({ suiteCase, repeat: index + 1 })),
  );
  let done = 0;
  let seconds = 0;
  const reportProgress = (file?: FileReport) =>
    onProgress?.({ done, streams: streams.length, seconds, file });
  reportProgress();
  const isLater = measuresLater(suite);
  const outcomes = await inParallel(
    streams,
    suite.concurrency,
    async ({ suiteCase, repeat }, ending) => {
      const measure = await runCase(suiteCase, repeat, {
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
  const { name, alignment, seed, thresholds, tolerances } = suite;
  const measured = results.filter(result => result !== undefined);
  const files = measured.map(({ report }) => report);
  const total = totalMeasures(measured, seed);
  const head = { suite: name, rules: [...new Set(files.map(({ rules }) => rules))], alignment, files };
  const spread = runSpread(measured, seed);
  const cohorts = cohortsOf(suite, measured);
  const hasRun = files.some(({ failure }) => failure === undefined);
  const checks: readonly GateCheck[] = [
    ...interruptionChecks(results.length - measured.length, results.length),
    ...streamChecks(files),
    ...(hasRun ? thresholdChecks(total, thresholds) : []),
    ...cohortChecks(suite, cohorts),
    ...caseChecks(suite, measured),
    ...(baseline && hasRun
      ? compareBaseline(baseline, baselineOf({ ...head, ...total, machine, spread }), {
          ...{ seed, tolerances, isStrict },
          cohorts: namesByCohort(suite),
        })
      : []),
  ];
  const busy = machine && busyMachine(machine, baseline?.all.waiting);
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
    ...(cohorts.length > 0 && { cohorts }),
    spread,
    gate: gateOf(checks, busy),
  };
}

/** Checks the thresholds of each case over all its repeats; a case without any finished stream has failed already. */
function caseChecks({ cases, seed }: Suite, measured: readonly MeasuredFile[]): readonly GateCheck[] {
  const well = measured.filter(({ report }) => report.failure === undefined);
  const byName = Map.groupBy(well, ({ report }) => report.name);
  return cases.flatMap(({ name, thresholds }) => {
    const repeats = byName.get(name) ?? [];
    const [first] = repeats;
    if (!first || Object.keys(thresholds).length === 0) return [];
    const measures = repeats.length === 1 ? first.report : totalMeasures(repeats, seed);
    return thresholdChecks(measures, thresholds, { file: name });
  });
}

function interruptionChecks(missing: number, streams: number): readonly GateCheck[] {
  if (missing === 0) return [];
  const message = `interrupted: ${missing} of ${streams} streams did not finish`;
  const figures = { value: streams - missing, limit: streams };
  return [{ kind: 'streams', measure: 'streams', passed: false, message, ...figures }];
}
