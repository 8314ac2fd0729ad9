import { RxscribeError, reasonOf } from '../../base/errors.ts';
import { resumeLine } from '../spool/resumeLine.ts';
import type { FallbackContext, Hole, Repairs } from '../stream/fallback.ts';
import type { HoleRepairer } from './holeRepairer.ts';

/** Holes that are repaired at the same time: while a machine has one job, the audio of the next is uploaded. People take a day. */
const HOLES_AT_ONCE = { machine: 2, human: Number.POSITIVE_INFINITY } as const;

export interface HoleRepairsOptions {
  readonly context: Pick<FallbackContext, 'status' | 'spoolPath'>;
  readonly repairer: HoleRepairer;
  /** Aborts the work of the repairer. */
  readonly closing: AbortController;
  /** True when people repair them. */
  readonly human: boolean;
  /** True when people repair some of them. */
  readonly waitsForPeople: boolean;
}

/** Repairs holes in the order of their arrival: by machines, two at a time. */
export function createHoleRepairs(options: HoleRepairsOptions): Repairs {
  const { context, repairer, closing, human, waitsForPeople } = options;
  const atOnce = HOLES_AT_ONCE[waitsForPeople ? 'human' : 'machine'];
  const waiting: Hole[] = [];
  const failed: UnrepairedHole[] = [];
  let running = 0;
  let whenIdle: (() => void)[] = [];

  function next(): void {
    while (running < atOnce && waiting.length > 0) void run(waiting.shift()!);
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
    const message = `Cannot get the text of ${ts} to ${endTs} s: ${reasonOf(error)}.`;
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
      if (first)
        throw new HolesRemainError([first, ...others], path === undefined ? undefined : { path, human });
    },
    close() {
      waiting.length = 0;
      closing.abort(new RxscribeError('aborted', 'The repair of the transcript was closed.'));
    },
  };
}

/** A hole that was not repaired, and the reason. */
export interface UnrepairedHole {
  readonly hole: Hole;
  readonly error: unknown;
}

/** A spool that still has the audio. */
export interface SpoolPlace {
  readonly path: string;
  /** True when people were to repair the holes. */
  readonly human?: boolean | undefined;
}

/** Holes that the message names; further ones are counted. */
const MAX_NAMED = 5;

/** The error of a transcript with missing parts that no job could supply; the code is that of the first reason. */
export class HolesRemainError extends RxscribeError {
  override name = 'HolesRemainError';
  readonly holes: readonly [UnrepairedHole, ...UnrepairedHole[]];
  /** Absent when the audio is lost. */
  readonly spool?: SpoolPlace;
  /** The remedy, as a sentence. */
  readonly advice: string;

  constructor(holes: readonly [UnrepairedHole, ...UnrepairedHole[]], spool?: SpoolPlace) {
    const [{ error }] = holes;
    const spans = holes.slice(0, MAX_NAMED).map(({ hole }) => `${hole.event.ts} to ${hole.event.endTs} s`);
    const more = holes.length > MAX_NAMED ? ` and ${holes.length - MAX_NAMED} more` : '';
    super(
      error instanceof RxscribeError ? error.code : 'unavailable',
      `Cannot get the text of ${spans.join(', ')}${more}: ${reasonOf(error)}.`,
      { cause: error },
    );
    this.holes = holes;
    if (spool) this.spool = spool;
    this.advice = spool
      ? `The audio is kept. When the cause is removed, run: ${resumeLine(spool.path, spool)}`
      : 'Without a spool the audio of these parts is lost; see the cause.';
  }
}
