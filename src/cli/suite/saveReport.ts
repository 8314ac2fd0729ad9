import { RxscribeError } from '../../base/errors.ts';
import { fileReason } from '../../base/text.ts';
import { readCassette } from '../../replay/cassette/read/readCassette.ts';
import { verdictOf } from '../../replay/report/figures.ts';
import type { FileMedia, GateReport, Report, ReportMedia } from '../../replay/report/report.ts';
import { checkReportPath, jsonReport, writeReport } from '../../replay/report/writeReport.ts';
import { baselineOf, readBaseline, writeBaseline } from '../../replay/suite/baseline/baseline.ts';
import type { Suite, SuiteCase } from '../../replay/suite/suite.ts';
import type { Context } from '../context.ts';
import { EXIT } from '../exitCodes.ts';
import { reportText } from '../print/reportText.ts';
import { annotate, appendSummary, GITHUB, isForGithub, printResults } from './githubOutput.ts';

/** Flags with the destinations of a report. */
export interface SavedRun {
  readonly paths: readonly string[];
  readonly report: readonly string[];
  readonly baseline?: string;
  readonly update?: boolean;
  readonly isStrict?: boolean;
  readonly json?: boolean;
}

/** Checks the files of a report before a suite is run. @throws InvalidArgumentError for an unknown extension */
export function checkReports({ report }: Pick<SavedRun, 'report'>): void {
  for (const path of filesOf(report)) checkReportPath(path);
}

/** Prints a report, as JSON or for people. */
export function showReport(context: Context, report: Report, run: SavedRun): void {
  const { stdout } = context;
  const text = run.json ? jsonReport(report) : reportText(report, stdout);
  printResults(context, text, isForGithub(context, run.report), run.json);
}

/** Reads the baseline of a run that compares with one. @throws RxscribeError `unreadable-input` */
export const comparedBaseline = async ({ baseline, update }: Pick<SavedRun, 'baseline' | 'update'>) =>
  baseline === undefined || update ? undefined : await readBaseline(baseline);

/** Returns the exit code for the gates of reports. */
export function exitCodeOfGates(gates: readonly GateReport[]): number {
  const verdicts = gates.map(verdictOf);
  if (verdicts.includes('failed')) return EXIT.worse;
  return verdicts.includes('invalid') ? EXIT.invalid : EXIT.done;
}

const filesOf = (report: readonly string[]) => report.filter(path => path !== GITHUB);

/** Writes all files of a report, even when one fails; a run that is not passed leaves the baseline. */
export async function saveReport(
  context: Context,
  report: Report,
  { suite, run }: { readonly suite: Suite; readonly run: SavedRun },
): Promise<void> {
  const { stderr, env } = context;
  const { update, baseline, paths, json: isJson } = run;
  const media = mediaOf(suite.cases);
  const writing = filesOf(run.report).map(path => written(path, writeReport(report, path, media)));
  if (isForGithub(context, run.report)) {
    await annotate(context, report, { suite, paths, isJson });
    const summary = env.GITHUB_STEP_SUMMARY;
    if (summary) writing.push(written(summary, appendSummary(summary, report)));
  }
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
