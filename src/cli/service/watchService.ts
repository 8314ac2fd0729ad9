import { delay } from '../../base/clock.ts';
import { reasonOf } from '../../base/errors.ts';
import { printableJson } from '../../base/text.ts';
import type { OverviewJson } from '../../protocol/admin.ts';
import type { Context } from '../context.ts';
import type { AdminFlags } from '../flags/adminOptions.ts';
import { STOPPED, takeInterruptions } from '../interruption.ts';
import { opsLine, opsText } from '../print/opsView.ts';
import { adminCall } from './adminCall.ts';

/** Seconds over which a terminal shows what has been counted. */
const SHOWN_SECONDS = 60;
/** Moves to the first row and erases the screen. */
const CLEAR = '\u001b[H\u001b[J';

export interface OpsFlags extends AdminFlags {
  /** Seconds between two looks. */
  readonly every: number;
  readonly once?: boolean;
}

/** Shows the state until it is interrupted: a screen that changes, or a line each time for other programs. */
export async function watchService(context: Context, flags: OpsFlags): Promise<void> {
  using interruption = takeInterruptions(context, STOPPED);
  const { signal } = interruption;
  const show = createView(context, flags);
  // The first look fails with the error; later ones say that the service is away.
  show(await look(flags));
  while (!flags.once && !signal.aborted) {
    await delay(flags.every * 1000, { signal }).catch(() => {});
    if (signal.aborted) return;
    try {
      show(await look(flags));
    } catch (error) {
      context.stderr.write(`${reasonOf(error)} Trying again.\n`);
    }
  }
}

async function look(flags: OpsFlags): Promise<OverviewJson> {
  return adminCall<OverviewJson>(flags, { action: 'read the overview', method: 'GET', path: ['overview'] });
}

function createView({ stdout }: Context, { json, once }: OpsFlags) {
  const shown: { readonly overview: OverviewJson; readonly atMs: number }[] = [];
  return (overview: OverviewJson) => {
    const atMs = performance.now();
    while (shown.length > 1 && atMs - shown[1]!.atMs >= SHOWN_SECONDS * 1000) shown.shift();
    const [first] = shown;
    shown.push({ overview, atMs });
    if (json) stdout.write(`${printableJson(overview)}\n`);
    else if (stdout.isTTY) {
      const before = first && { overview: first.overview, secondsAgo: (atMs - first.atMs) / 1000 };
      stdout.write((once ? '' : CLEAR) + opsText(overview, before, stdout));
    } else stdout.write(`${opsLine(overview)}\n`);
  };
}
