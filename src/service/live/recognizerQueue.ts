import type { Clock } from '../../base/clock.ts';
import { RxscribeError } from '../../base/errors.ts';
import { createWakeSignal, type WakeSignal } from '../../base/wait/wakeSignal.ts';
import { withAbort, withTimeout } from '../../base/wait/withTimeout.ts';
import type { Recognizer, RecognizerSession, RecognizerSessionOptions } from '../../engines/recognizer.ts';

/** Milliseconds between two attempts: other users of the recogniser free sessions unnoticed. */
const RECOGNIZER_RETRY_MS = 500;

export interface QueueOptions {
  /** Milliseconds to wait for a free session. */
  readonly waitMs: number;
  /** Aborting it leaves the queue. */
  readonly signal: AbortSignal;
}

/** Sessions of a recogniser with limited capacity, first come first served. */
export interface RecognizerQueue {
  /**
   * Resolves with a session of the recogniser; undefined when none became free in time.
   *
   * @throws the signal's reason; errors of the recogniser, except that no session is free
   */
  acquire(session: RecognizerSessionOptions, options: QueueOptions): Promise<RecognizerSession | undefined>;
}

/** The limits of a wait. */
interface Turn {
  readonly deadlineMs: number;
  readonly signal: AbortSignal;
}

/** Codes for a recogniser without a free session, or one that opens none in time. */
const NOT_NOW: ReadonlySet<string> = new Set(['unavailable', 'timeout']);

/** Creates a queue for the sessions of a recogniser. */
export function createRecognizerQueue(recognizer: Recognizer, clock: Clock): RecognizerQueue {
  /** Waiters in order; the first is woken when a session may be free. */
  const waiting: WakeSignal[] = [];

  const watched = (session: RecognizerSession): RecognizerSession => {
    const close = async () => {
      await session.close();
      waiting[0]?.wake();
    };
    return {
      results$: session.results$,
      write: samples => session.write(samples),
      finish: () => session.finish(),
      close,
      [Symbol.asyncDispose]: close,
    };
  };

  async function open(
    sessionOptions: RecognizerSessionOptions,
    { deadlineMs, signal }: Turn,
  ): Promise<RecognizerSession | undefined> {
    const opening = recognizer.open(sessionOptions);
    try {
      return watched(await withTimeout(opening, { clock, timeoutMs: deadlineMs - clock.now(), signal }));
    } catch (error) {
      // A session that opens later is not needed any more.
      opening.then(session => session.close()).catch(() => {});
      if (error instanceof RxscribeError && NOT_NOW.has(error.code)) return undefined;
      throw error;
    }
  }

  async function waitForSession(
    sessionOptions: RecognizerSessionOptions,
    turn: Turn,
  ): Promise<RecognizerSession | undefined> {
    const place = createWakeSignal(clock);
    waiting.push(place);
    try {
      while (clock.now() < turn.deadlineMs) {
        const delayMs = Math.min(RECOGNIZER_RETRY_MS, turn.deadlineMs - clock.now());
        await withAbort(place.woken(delayMs), turn.signal);
        place.reset();
        if (waiting[0] !== place) continue;
        const session = await open(sessionOptions, turn);
        if (session) return session;
      }
      return undefined;
    } finally {
      place.wake();
      waiting.splice(waiting.indexOf(place), 1);
      waiting[0]?.wake();
    }
  }

  return {
    async acquire(sessionOptions, { waitMs, signal }) {
      const turn = { deadlineMs: clock.now() + waitMs, signal };
      const session = waiting.length === 0 ? await open(sessionOptions, turn) : undefined;
      return session ?? waitForSession(sessionOptions, turn);
    },
  };
}
