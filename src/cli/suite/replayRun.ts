import { InvalidArgumentError, messageOf, RxscribeError } from '../../base/errors.ts';
import { publicAddress, serviceAddress } from '../../client/serviceAccess.ts';
import { readCassette } from '../../replay/cassette/read/readCassette.ts';
import { jsonReport } from '../../replay/report/jsonReport.ts';
import type { FileMedia, Report, ReportMedia } from '../../replay/report/report.ts';
import { checkReportPath, writeReport } from '../../replay/report/writeReport.ts';
import { baselineOf } from '../../replay/suite/baseline/baseline.ts';
import { readBaseline, writeBaseline } from '../../replay/suite/baseline/baselineFile.ts';
import { readSuite } from '../../replay/suite/read/readSuite.ts';
import { isWhole } from '../../replay/suite/run/gate.ts';
import { runSuite } from '../../replay/suite/run/runSuite.ts';
import { suiteSeconds } from '../../replay/suite/run/suiteSeconds.ts';
import type { Suite, SuiteCase, SuiteFlags, SuiteService } from '../../replay/suite/suite.ts';
import { EXIT } from '../exitCodes.ts';
import { checkServiceFlags, type ServiceFlags } from '../flags/serviceOptions.ts';
import { takeInterruptions } from '../interruption.ts';
import type { EmbeddedService } from '../local/embeddedService.ts';
import { type ProgressLine, progressLine } from '../print/progressLine.ts';
import { replayProgress } from '../print/replayProgress.ts';
import { reportText } from '../print/reportText.ts';
import { readyService } from '../service/readyService.ts';

/** One run of `rxscribe replay`, as asked for. */
export interface ReplayRun extends SuiteFlags, Omit<ServiceFlags, 'url'> {
  readonly paths: readonly string[];
  readonly report: readonly string[];
  readonly baseline?: string;
  readonly update?: boolean;
  /** By a flag. */
  readonly isTokenGiven?: boolean;
  readonly json?: boolean;
}

/** Streams a suite, prints and writes its report, and sets the exit code by its gate. */
export async function runReplay(run: ReplayRun): Promise<void> {
  for (const path of run.report) checkReportPath(path);
  using interruption = takeInterruptions();
  const { signal } = interruption;
  using progress = progressLine(process.stderr);
  try {
    const suite = await readSuite(run.paths, run, { signal });
    if (run.isTokenGiven && suite.url === undefined) {
      throw new InvalidArgumentError('replay: --token goes with --url, or with a suite that names one');
    }
    const report = await reportOn(suite, run, { progress, signal });
    progress.hide();
    await keep(report, suite, run);
    if (!signal.aborted) process.exitCode = report.gate.passed ? EXIT.done : EXIT.worse;
  } catch (error) {
    // The exit code is set; there is nothing to explain.
    if (!signal.aborted) throw error;
  }
}

interface RunContext {
  readonly progress: ProgressLine;
  readonly signal: AbortSignal;
}

async function reportOn(suite: Suite, run: ReplayRun, { progress, signal }: RunContext): Promise<Report> {
  // Before an hour of streams: what is wrong with it is known now.
  const baseline = run.baseline !== undefined && !run.update ? await readBaseline(run.baseline) : undefined;
  await using embedded = await startService(suite, run, { progress, signal });
  const service = embedded ? { ...embedded, shownAs: 'embedded' } : named(suite, run);
  using shown = replayProgress(progress, over => suiteSeconds(suite, AbortSignal.any([signal, over])));
  return await runSuite(suite, {
    ...{ service, baseline, signal, onProgress: shown.show },
    onWarning: (name, message) => progress.note(`${name}: ${message}`),
  });
}

const needsService = (suite: Suite) => suite.cases.some(({ service }) => service === 'service');

/** A service of our own, where one is needed and none is named. */
async function startService(
  suite: Suite,
  run: ReplayRun,
  { progress, signal }: RunContext,
): Promise<EmbeddedService | undefined> {
  if (!needsService(suite) || suite.url !== undefined) return undefined;
  progress.show('starting a service');
  return readyService(run, signal);
}

/** The service of the suite or the command line. */
function named(suite: Suite, run: ReplayRun): SuiteService | undefined {
  const { url } = suite;
  if (url === undefined || !needsService(suite)) return undefined;
  checkServiceFlags({ ...run, url }, 'replay');
  return { url, token: run.token!, shownAs: publicAddress(serviceAddress(url, 'ws')) };
}

/** Prints and writes all of it, whatever fails; of a run that was interrupted or failed no baseline is made. */
async function keep(report: Report, suite: Suite, run: ReplayRun): Promise<void> {
  process.stdout.write(run.json ? await jsonReport(report) : reportText(report, process.stdout));
  const media = mediaOf(suite.cases);
  const writing = run.report.map(path => written(path, writeReport(report, path, media)));
  if (run.update) writing.push(updateBaseline(report, run.baseline!));
  const failed = (await Promise.allSettled(writing)).find(({ status }) => status === 'rejected');
  if (failed) throw (failed as PromiseRejectedResult).reason;
}

async function updateBaseline(report: Report, path: string): Promise<void> {
  if (isWhole(report)) await writeBaseline(path, baselineOf(report));
  else process.stderr.write(`${path} is as it was: not every stream came to its end\n`);
}

async function written(path: string, writing: Promise<void>): Promise<void> {
  try {
    await writing;
  } catch (cause) {
    if (cause instanceof RxscribeError) throw cause;
    throw new RxscribeError('store', `write report ${path}: ${messageOf(cause)}`, { cause });
  }
}

/** What a page can play: audio files, and cassettes that have their audio inside or beside. */
function mediaOf(cases: readonly SuiteCase[]): ReportMedia {
  return new Map(
    cases.map(({ name, input: { kind, path } }): [string, FileMedia] => [
      name,
      { audio: kind === 'audio' ? path : () => cassetteBytes(path) },
    ]),
  );
}

async function* cassetteBytes(path: string): AsyncGenerator<Uint8Array> {
  const { audio } = await readCassette(path);
  if (audio) yield* audio.bytes();
}
