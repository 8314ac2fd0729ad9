import { InvalidArgumentError, RxscribeError } from '../../base/errors.ts';
import { fileReason } from '../../base/text.ts';
import { publicAddress, serviceAddress } from '../../client/serviceAccess.ts';
import { isWithoutAudio } from '../../replay/cassette/audioNames.ts';
import { readCassette } from '../../replay/cassette/read/readCassette.ts';
import { verdictOf } from '../../replay/report/figures.ts';
import { jsonReport } from '../../replay/report/jsonReport.ts';
import type { FileMedia, Report, ReportMedia } from '../../replay/report/report.ts';
import { checkReportPath, writeReport } from '../../replay/report/writeReport.ts';
import { baselineOf } from '../../replay/suite/baseline/baseline.ts';
import { readBaseline, writeBaseline } from '../../replay/suite/baseline/baselineFile.ts';
import { readSuite } from '../../replay/suite/read/readSuite.ts';
import { runSuite } from '../../replay/suite/run/runSuite.ts';
import { suiteSeconds } from '../../replay/suite/run/suiteSeconds.ts';
import type { Suite, SuiteCase, SuiteFlags, SuiteService } from '../../replay/suite/suite.ts';
import type { Context } from '../context.ts';
import { EXIT } from '../exitCodes.ts';
import { refuseIf } from '../flags/optionValues.ts';
import { checkServiceFlags, type ServiceFlags } from '../flags/serviceOptions.ts';
import { interruptible, type Work } from '../interruptible.ts';
import type { EmbeddedService } from '../local/embeddedService.ts';
import { replayProgress } from '../print/replayProgress.ts';
import { reportText } from '../print/reportText.ts';
import { readyService } from '../service/startEmbedded.ts';
import { type ViewerMeasures, viewerMeter, viewersText } from './viewerMeasures.ts';

/** Flags of a report and its gate. */
export interface ReportFlags {
  readonly report: readonly string[];
  readonly baseline?: string;
  readonly update?: boolean;
  readonly isStrict?: boolean;
  readonly json?: boolean;
}

/** Flags of one run of `rxscribe replay`. */
export interface ReplayRun extends SuiteFlags, ReportFlags, Omit<ServiceFlags, 'url'> {
  readonly paths: readonly string[];
  /** Measures what viewers of live captions saw. */
  readonly viewers?: boolean;
  /** True when the token comes from a flag, not from the environment. */
  readonly isTokenGiven?: boolean;
}

/** Streams a suite, prints and writes its report, and sets the exit code by its gate. */
export async function runReplay(context: Context, run: ReplayRun): Promise<void> {
  for (const path of run.report) checkReportPath(path);
  await interruptible(context, async ({ progress, signal }) => {
    const suite = await readSuite(run.paths, run, { signal });
    if (run.isTokenGiven && suite.url === undefined) {
      throw new InvalidArgumentError('--token requires --url, or a suite file that names a service.');
    }
    checkEffect(suite, run, context);
    checkAudio(suite);
    const report = await reportOn(suite, run, { ...context, progress, signal });
    progress.hide();
    await saveReport(context, report, { suite, run });
    if (!signal.aborted)
      context.exitCode = { passed: EXIT.done, invalid: EXIT.invalid, failed: EXIT.worse }[
        verdictOf(report.gate)
      ];
  });
}

/** A report with the measures of `--viewers`, which a JSON report has as well. */
interface ViewedReport extends Report {
  readonly viewers?: readonly ViewerMeasures[];
}

async function reportOn(suite: Suite, run: ReplayRun, context: Context & Work): Promise<ViewedReport> {
  const { progress, signal } = context;
  // Read first, so that a fault of the file is found before an hour of streams.
  const baseline = run.baseline !== undefined && !run.update ? await readBaseline(run.baseline) : undefined;
  await using embedded = await startService(suite, run, context);
  const service = embedded
    ? { ...embedded, shownAs: `embedded (${embedded.recognizer})` }
    : namedService(suite, run);
  const meter = run.viewers ? viewerMeter(run.profile) : undefined;
  using shown = replayProgress(progress, ended => suiteSeconds(suite, AbortSignal.any([signal, ended])));
  const report = await runSuite(suite, {
    service,
    baseline,
    isStrict: run.isStrict,
    signal,
    onRun: (_, streamed) => meter?.add(streamed),
    onProgress: shown.show,
    onWarning: (name, message) => progress.note(`${name}: ${message}`),
  });
  return { ...report, viewers: meter?.measures() };
}

/**
 * Refuses flags of a service when every case is answered by its recording; an address of the environment is noted.
 *
 * @throws UsageError
 */
function checkEffect(suite: Suite, run: ReplayRun, { stderr }: Context): void {
  if (needsService(suite)) return;
  const { url, isUrlForAudio, engine, model, pause } = run;
  const reason = 'every case is answered by its recording, which tests the client only';
  refuseIf(
    (engine ?? model ?? pause) !== undefined,
    `--engine, --model and --pause have no effect: ${reason}.`,
  );
  refuseIf(url !== undefined && !isUrlForAudio, `--url has no effect: ${reason}.`);
  if (url !== undefined) stderr.write(`RXSCRIBE_URL is not used: ${reason}.\n`);
}

/** @throws RxscribeError `audio-missing` for a cassette that was imported without audio */
function checkAudio({ cases }: Suite): void {
  const silent = cases.find(({ input: { kind, path } }) => kind === 'cassette' && isWithoutAudio(path));
  if (!silent) return;
  const reason = 'the log was imported without audio';
  const message = `Cannot play '${silent.input.path}': ${reason}. Score it with 'rxscribe score', or import it with its audio.`;
  throw new RxscribeError('audio-missing', message);
}

const needsService = (suite: Suite) => suite.cases.some(({ service }) => service === 'service');

/** Starts an embedded service, when the suite needs one and names none. */
async function startService(
  suite: Suite,
  run: ReplayRun,
  context: Context & Work,
): Promise<EmbeddedService | undefined> {
  if (!needsService(suite) || suite.url !== undefined) return undefined;
  context.progress.show('starting a service');
  return readyService(context, run, context.signal);
}

/** Returns the service of the suite or the command line. */
function namedService(suite: Suite, run: ReplayRun): SuiteService | undefined {
  const { url } = suite;
  if (url === undefined || !needsService(suite)) return undefined;
  checkServiceFlags({ ...run, url });
  return { url, token: run.token ?? '', shownAs: publicAddress(serviceAddress(url, 'ws')) };
}

/** Prints the report and writes all its files, even when one fails; a run that is not passed leaves the baseline. */
export async function saveReport(
  { stdout, stderr }: Context,
  report: ViewedReport,
  { suite, run }: { readonly suite: Suite; readonly run: ReportFlags },
): Promise<void> {
  stdout.write(run.json ? jsonReport(report) : reportText(report, stdout));
  if (report.viewers && !run.json) stdout.write(`\n${viewersText(report.viewers, stdout)}`);
  const media = mediaOf(suite.cases);
  const writing = run.report.map(path => written(path, writeReport(report, path, media)));
  const { update, baseline } = run;
  if (update && baseline !== undefined && report.gate.passed) {
    writing.push(writeBaseline(baseline, baselineOf(report)));
  } else if (update) {
    stderr.write(`'${baseline}' is unchanged, since the run did not pass.\n`);
  }
  const failed = (await Promise.allSettled(writing)).find(({ status }) => status === 'rejected');
  if (failed) throw (failed as PromiseRejectedResult).reason;
}

async function written(path: string, writing: Promise<void>): Promise<void> {
  try {
    await writing;
  } catch (cause) {
    if (cause instanceof RxscribeError) throw cause;
    throw new RxscribeError('store', `Cannot write the report '${path}': ${fileReason(cause)}.`, { cause });
  }
}

/** Returns the media that a page can play: audio files, and cassettes with their audio inside or beside. */
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
