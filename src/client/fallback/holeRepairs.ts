import { messageOf, RxscribeError } from '../../base/errors.ts';
import type { FallbackContext, Hole, Repairs } from '../stream/fallback.ts';
import type { HoleRepairer } from './holeRepairer.ts';
import { HolesRemainError, type UnrepairedHole } from './holesRemainError.ts';

/** Holes at the same time: while the job of one is worked on, the audio of the next is uploaded. */
const HOLES_AT_ONCE = 2;

export interface HoleRepairsOptions {
  readonly context: Pick<FallbackContext, 'status' | 'spoolPath'>;
  readonly repairer: HoleRepairer;
  /** Ends what the repairer does. */
  readonly closing: AbortController;
}

/** Repairs holes in the order in which they come, two at a time. */
export function createHoleRepairs({ context, repairer, closing }: HoleRepairsOptions): Repairs {
  const waiting: Hole[] = [];
  const failed: UnrepairedHole[] = [];
  let running = 0;
  let whenIdle: (() => void)[] = [];

  function next(): void {
    while (running < HOLES_AT_ONCE && waiting.length > 0) void run(waiting.shift()!);
    if (running > 0) return;
    for (const resolve of whenIdle) resolve();
    whenIdle = [];
  }

  async function run(hole: Hole): Promise<void> {
    running++;
    try {
      await repairer.repair(hole);
    } catch (error) {
      if (!closing.signal.aborted) giveUp(hole, error);
    }
    running--;
    next();
  }

  function giveUp(hole: Hole, error: unknown): void {
    failed.push({ hole, error });
    const { ts, endTs } = hole.event;
    const message = `${ts} to ${endTs} s stay without text: ${messageOf(error)}`;
    context.status({ type: 'warning', code: 'not-repaired', message });
  }

  return {
    observe: repairer.observe,
    repair(hole) {
      if (closing.signal.aborted) return;
      waiting.push(hole);
      next();
    },
    async done() {
      if (running > 0) await new Promise<void>(resolve => whenIdle.push(resolve));
      closing.signal.throwIfAborted();
      const [first, ...others] = failed;
      const { spoolPath: path } = context;
      if (first) throw new HolesRemainError([first, ...others], path === undefined ? undefined : { path });
    },
    close() {
      waiting.length = 0;
      closing.abort(new RxscribeError('aborted', 'repair a transcript: closed'));
    },
  };
}
