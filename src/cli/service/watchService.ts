import { ReadStream } from 'node:tty';
import { delay } from '../../base/clock.ts';
import { reasonOf } from '../../base/errors.ts';
import { printableJson } from '../../base/text.ts';
import { type OverviewJson, OverviewSchema } from '../../protocol/admin.ts';
import type { Context, Output } from '../context.ts';
import type { AdminFlags } from '../flags/adminOptions.ts';
import { STOPPED, takeInterruptions } from '../interruption.ts';
import { opsLine, opsText } from '../print/opsView.ts';
import { type AdminCall, adminCall } from './adminCall.ts';

/** Period in seconds of the counts that a terminal shows. */
const SHOWN_SECONDS = 60;
/** Milliseconds without an answer after which a poll has failed. */
const LOOK_TIMEOUT_MS = 10_000;
const QUIT_KEYS = ['q', 'Q', '\u0003'];
/** Moves to the first row and erases the screen. */
const CLEAR = '\u001b[H\u001b[J';
/** Cuts lines at the edge of the window, and wraps them again. */
const [NO_WRAP, WRAP] = ['\u001b[?7l', '\u001b[?7h'];

export interface OpsFlags extends AdminFlags {
  /** Seconds between two polls. */
  readonly every: number;
  readonly once?: boolean;
}

/** Shows the state until it is interrupted: a screen that changes, which `q` ends, or a line each time for other programs. */
export async function watchService(context: Context, flags: OpsFlags): Promise<void> {
  using interruption = takeInterruptions(context, STOPPED);
  const quit = new AbortController();
  const signal = AbortSignal.any([interruption.signal, quit.signal]);
  using _ = flags.once ? undefined : takeKeys(context, () => quit.abort());
  const show = createView(context, flags);
  const call: AdminCall = {
    action: 'read the overview',
    path: ['overview'],
    schema: OverviewSchema,
    timeoutMs: LOOK_TIMEOUT_MS,
    clock: context.clock,
    signal,
  };
  for (let isFirst = true; !signal.aborted; isFirst = false) {
    try {
      show(await adminCall<OverviewJson>(flags, call));
    } catch (error) {
      if (signal.aborted) return;
      // The first poll fails with the error; later ones report that the service is unreachable.
      if (isFirst) throw error;
      context.stderr.write(`${reasonOf(error)} Trying again.\n`);
    }
    if (flags.once) return;
    await delay(flags.every * 1000, { signal }).catch(() => {});
  }
}

/** Calls back at `q` and at Ctrl-C, which raises no signal in raw mode. Does nothing without a terminal. */
function takeKeys({ stdin, stdout }: Context, quit: () => void): Disposable | undefined {
  if (!(stdin instanceof ReadStream && stdout.isTTY)) return undefined;
  const onKeys = (keys: Buffer) => {
    if (QUIT_KEYS.some(key => keys.includes(key))) quit();
  };
  stdin.setRawMode(true).on('data', onKeys);
  return {
    [Symbol.dispose]() {
      stdin.off('data', onKeys).pause().setRawMode(false);
    },
  };
}

function createView({ stdout }: Context, { json, once }: OpsFlags) {
  const shown: { readonly overview: OverviewJson; readonly atMs: number }[] = [];
  return (overview: OverviewJson) => {
    const atMs = performance.now();
    const isOld = (look?: { readonly atMs: number }) => look && atMs - look.atMs >= SHOWN_SECONDS * 1000;
    while (isOld(shown[1])) shown.shift();
    const [first] = shown;
    shown.push({ overview, atMs });
    if (json) stdout.write(`${printableJson(overview)}\n`);
    else if (stdout.isTTY) {
      const before = first && { overview: first.overview, secondsAgo: (atMs - first.atMs) / 1000 };
      const text = opsText(overview, before, stdout);
      stdout.write(once ? text : CLEAR + inWindow(text, stdout));
    } else stdout.write(`${opsLine(overview)}\n`);
  };
}

/** Returns as much of a text as a window can show from its first line on. */
function inWindow(text: string, { rows }: Output): string {
  const lines = text.trimEnd().split('\n');
  // The cursor takes the last row.
  const room = Math.max(2, (rows || 24) - 1);
  const shown = lines.length <= room ? lines : [...lines.slice(0, room - 1), '…'];
  return `${NO_WRAP}${shown.join('\n')}\n${WRAP}`;
}
