import { refuseIf } from '../../base/errors.ts';
import { publicAddress, serviceAddress } from '../../client/serviceAccess.ts';
import type { Report } from '../../replay/report/report.ts';
import { readSuite } from '../../replay/suite/read/readSuite.ts';
import { runSuite } from '../../replay/suite/run/runSuite.ts';
import { suiteSeconds } from '../../replay/suite/run/suiteSeconds.ts';
import type { Suite, SuiteFlags, SuiteService } from '../../replay/suite/suite.ts';
import type { Context } from '../context.ts';
import { chooseEngines } from '../flags/engineOptions.ts';
import { checkServiceFlags, type ServiceFlags } from '../flags/serviceOptions.ts';
import { interruptible, type Work } from '../interruptible.ts';
import { replayProgress } from '../print/replayProgress.ts';
import type { EmbeddedService } from '../provided.ts';
import { readyService } from '../service/startEmbedded.ts';
import {
  checkReports,
  comparedBaseline,
  exitCodeOfGates,
  type SavedRun,
  saveReport,
  showReport,
} from './saveReport.ts';

/** Flags of one run of `rxscribe replay`. */
export interface ReplayRun extends SuiteFlags, SavedRun, Omit<ServiceFlags, 'url'> {
  /** True when the token comes from a flag, not from the environment. */
  readonly isTokenGiven?: boolean;
}

/** Streams a suite, prints and writes its report, and sets the exit code by its gate. */
export async function runReplay(context: Context, run: ReplayRun): Promise<void> {
  checkReports(run);
  await interruptible(context, async ({ progress, signal }) => {
    const suite = await readSuite(run.paths, run, { signal });
    const isTokenUnused = run.isTokenGiven && suite.url === undefined;
    refuseIf(isTokenUnused, '--token requires --url, or a suite file that names a service.');
    checkEffect(suite, run, context);
    const report = await reportOn(suite, run, { ...context, progress, signal });
    progress.hide();
    showReport(context, report, run);
    await saveReport(context, report, { suite, run });
    if (!signal.aborted) context.exitCode = exitCodeOfGates([report.gate]);
  });
}

async function reportOn(suite: Suite, run: ReplayRun, context: Context & Work): Promise<Report> {
  const { progress, signal } = context;
  // The baseline is read first, so that a fault in it is found before an hour of streams.
  const baseline = await comparedBaseline(run);
  await using embedded = await startService(suite, run, context);
  const service = embedded
    ? { ...embedded, shownAs: `embedded (${embedded.recognizer})` }
    : namedService(suite, run);
  using shown = replayProgress(progress, ended => suiteSeconds(suite, AbortSignal.any([signal, ended])));
  // Awaited here: the service ends with this scope.
  return await runSuite(suite, {
    service,
    baseline,
    isStrict: run.isStrict,
    signal,
    onProgress: shown.show,
    onWarning: (name, message) => progress.note(`${name}: ${message}`),
  });
}

/**
 * Refuses flags of a service when every case is answered by its recording; an address of the environment is noted.
 *
 * @throws UsageError
 */
function checkEffect(suite: Suite, run: ReplayRun, { stderr }: Context): void {
  if (needsService(suite)) return;
  const { url, isUrlForAudio } = run;
  const reason = 'every case is answered by its recording, which tests the client only';
  refuseIf(chooseEngines(run), `--engine, --model and --pause have no effect: ${reason}.`);
  refuseIf(url !== undefined && !isUrlForAudio, `--url has no effect: ${reason}.`);
  if (url !== undefined) stderr.write(`RXSCRIBE_URL is not used: ${reason}.\n`);
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
