import { styleText } from 'node:util';
import { messageOf, RxscribeError } from '../../base/errors.ts';
import { withAbort, withDeadline } from '../../base/wait/withTimeout.ts';
import { checkCaptionPage } from '../../captions/outputs/page/captionPage.ts';
import type { Context, Output } from '../context.ts';
import { EXIT } from '../exitCodes.ts';
import type { ProcessFlags } from '../flags/captionOptions.ts';
import type { ServiceFlags } from '../flags/serviceOptions.ts';
import { takeInterruptions, unlessAborted } from '../interruption.ts';
import { type CaptionRun, usesEmbedded } from '../live/captionRuns.ts';
import { type CheckRow, printChecks } from '../print/checkTable.ts';
import { progressLine } from '../print/progressLine.ts';
import { closingEmbedded } from '../service/startEmbedded.ts';
import { type NamedCheck, outputChecks } from './outputChecks.ts';
import { type SourceCheckParts, sourceChecks } from './sourceChecks.ts';

/** Default of {@link NamedCheck.timeoutMs}: more than the limits that the parts themselves have. */
const CHECK_TIMEOUT_MS = 30_000;

/** Checks of a room, or of what all rooms share, which has no name. */
export interface CheckGroup {
  readonly room: string;
  readonly checks: readonly NamedCheck[];
}

/** Returns the checks of everything that sources use: the page, then each input with its services and outputs. */
export function captionChecks(
  runs: readonly CaptionRun[],
  { page, publicUrl, trustProxy }: ProcessFlags,
  parts: SourceCheckParts,
): readonly CheckGroup[] {
  const options = page && { ...page, publicUrl, trustProxy, clock: parts.clock };
  const shared = options ? [{ name: 'page', run: () => checkCaptionPage(options) }] : [];
  const rooms = runs.map(run => ({
    room: run.name,
    checks: [...sourceChecks(run, parts), ...outputChecks(run, parts.clock)],
  }));
  return shared.length === 0 ? rooms : [{ room: '', checks: shared }, ...rooms];
}

/**
 * Checks everything that sources use, all at once, and prints a line for each check. The exit code is 1 when one failed.
 *
 * @param flags those of the process, and of the service inside it
 */
export async function checkCaptions(
  context: Context,
  runs: readonly CaptionRun[],
  flags: ProcessFlags & ServiceFlags,
): Promise<void> {
  using interruption = takeInterruptions(context);
  const { signal } = interruption;
  const embedded = runs.find(usesEmbedded);
  const starting = embedded && context.provided.embeddedService(context, { ...flags, ...embedded, signal });
  await using _service = closingEmbedded(starting);
  // Fetching a recogniser has its own progress display.
  await starting?.catch(() => {});
  const groups = captionChecks(runs, flags, { starting, clock: context.clock });
  const outcomes = await runChecks(context, groups, signal).catch(unlessAborted(signal));
  if (!outcomes) return;
  printOutcomes(context.stdout, outcomes);
  const isBroken = outcomes.some(({ rows }) => rows.some(({ result }) => result === 'failed'));
  context.exitCode = isBroken ? EXIT.internal : EXIT.done;
}

/** Outcomes of the checks of a room. */
interface Outcomes {
  readonly room: string;
  readonly rows: readonly CheckRow[];
}

async function runChecks(
  { stderr, clock }: Context,
  groups: readonly CheckGroup[],
  signal: AbortSignal,
): Promise<readonly Outcomes[]> {
  using progress = progressLine(stderr);
  const count = groups.reduce((sum, { checks }) => sum + checks.length, 0);
  let done = 0;
  const show = () => progress.show(`checking ${count} parts`, done / count);
  show();
  const outcome = async (check: NamedCheck): Promise<CheckRow> => {
    const row = await outcomeOf(check, { clock, signal });
    done++;
    show();
    return row;
  };
  const outcomes = groups.map(async ({ room, checks }) => ({
    room,
    rows: await Promise.all(checks.map(outcome)),
  }));
  return withAbort(Promise.all(outcomes), signal);
}

async function outcomeOf(
  { name, timeoutMs = CHECK_TIMEOUT_MS, warnsOf, run }: NamedCheck,
  { clock, signal }: Pick<Context, 'clock'> & { readonly signal: AbortSignal },
): Promise<CheckRow> {
  const lateError = () => new RxscribeError('timeout', `There was no result within ${timeoutMs / 1000} s.`);
  try {
    const text = await withDeadline({ timeoutMs, lateError, clock, signal }, async late =>
      withAbort(run(late), late),
    );
    return { name, result: 'passed', text };
  } catch (error) {
    const isWarning = error instanceof RxscribeError && error.code === warnsOf;
    return { name, result: isWarning ? 'missing' : 'failed', text: messageOf(error) };
  }
}

/** Prints rows: in a terminal under the names of their rooms, for other programs with the room before each name. */
function printOutcomes(output: Output, outcomes: readonly Outcomes[]): void {
  const named = outcomes.flatMap(({ room, rows }) =>
    rows.map(row => (room === '' ? row : { ...row, name: `${room}/${row.name}` })),
  );
  for (const { room, rows } of output.isTTY ? outcomes : [{ room: '', rows: named }]) {
    if (room !== '') output.write(`${styleText('bold', room, { stream: output })}\n`);
    printChecks(output, rows, room === '' ? '' : '  ');
  }
}
