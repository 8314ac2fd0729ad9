import { basename, resolve } from 'node:path';
import { RxscribeError } from '../../base/errors.ts';
import { fileReport, type MeasuredFile } from '../../replay/measure/fileReport.ts';
import { readReference } from '../../replay/reference/readReference.ts';
import { type Reference, UnreadableReferenceError } from '../../replay/reference/reference.ts';
import { RESULT_FILE } from '../../replay/report/figures.ts';
import { ruleSetOf } from '../../replay/rules/ruleSets.ts';
import type { SessionRun } from '../../replay/session/sessionRun.ts';
import { withoutEnding } from '../../replay/suite/read/discover.ts';
import { equivalencesOf } from '../../replay/suite/read/readSuiteFile.ts';
import { suiteOf } from '../../replay/suite/read/suiteCase.ts';
import { reportOf } from '../../replay/suite/run/runSuite.ts';
import type { Suite, SuiteFlags } from '../../replay/suite/suite.ts';
import type { Context } from '../context.ts';
import { interruptible } from '../interruptible.ts';
import {
  checkReports,
  comparedBaseline,
  exitCodeOfGates,
  type SavedRun,
  saveReport,
  showReport,
} from './saveReport.ts';

/** Flags of `rxscribe score`. */
export interface ScoreRun extends SuiteFlags, SavedRun {
  readonly reference: string;
  /** File of the result. */
  readonly result: string;
  readonly language: string;
}

/** Scores a file against another one, prints and writes the report, and sets the exit code by its gate. */
export async function runScore(context: Context, run: ScoreRun): Promise<void> {
  checkReports(run);
  await interruptible(context, async ({ signal }) => {
    const baseline = await comparedBaseline(run);
    const name = basename(withoutEnding(resolve(run.result)));
    const equivalences = equivalencesOf(run.equivalences);
    const suite = suiteOf({ name, cases: [], equivalences }, {}, run);
    const measured = await measuredFile(suite, run, signal);
    const report = reportOf(suite, [measured], { baseline, isStrict: run.isStrict });
    showReport(context, report, run);
    await saveReport(context, report, { suite, run });
    context.exitCode = exitCodeOfGates([report.gate]);
  });
}

async function measuredFile(
  { name, equivalences, seed }: Suite,
  { reference: path, result, language, rules, keywords = [] }: ScoreRun,
  signal: AbortSignal,
): Promise<MeasuredFile> {
  const reference = await readReference(path, { signal });
  const heard = await readReference(result, { signal }).catch(cause => {
    if (!(cause instanceof UnreadableReferenceError)) throw cause;
    throw new RxscribeError(cause.code, cause.message.replace('the reference', 'the result'), { cause });
  });
  return fileReport(runOf(heard), {
    name,
    language,
    rules: ruleSetOf(language, rules, equivalences),
    service: RESULT_FILE,
    reference,
    keywords,
    mismatches: [...(reference.damage ?? []), ...(heard.damage ?? [])],
    seed,
  });
}

/** Returns the run of a result that is known as a text only. */
function runOf({ segments }: Reference): SessionRun {
  const monologues = segments.map(({ text: value, ts, endTs }) => ({
    speaker: 0,
    elements: [{ type: 'text', value, ts, endTs } as const],
  }));
  const seconds = segments.reduce((end, { endTs = 0 }) => Math.max(end, endTs), 0);
  const nothing = { events: [], statuses: [], audio: [], sampleRate: 0, startTs: 0, durationMs: 0 };
  return { ...nothing, transcript: { monologues }, seconds, speed: 'max' };
}
