import type { Clock } from '../../base/clock.ts';
import { RxscribeError } from '../../base/errors.ts';
import { withTimeout } from '../../base/wait/withTimeout.ts';
import type { Recognizer, RecognizerSession, RecognizerSessionOptions } from '../../engines/recognizer.ts';

/** Between two tries when a session may become free without our knowing: others may use the recogniser too. */
export const RECOGNIZER_RETRY_MS = 500;

export interface QueueOptions {
  /** How long to wait for a free session. */
  readonly waitMs: number;
  /** Aborting leaves the queue. */
  readonly signal: AbortSignal;
}

/** Sessions of a recogniser that has only so many, first come first served. */
export interface RecognizerQueue {
  /**
   * A session of the recogniser, or undefined when none became free in time.
   *
   * @throws the signal's reason; what the recogniser throws, except that no session is free
   */
  acquire(session: RecognizerSessionOptions, options: QueueOptions): Promise<RecognizerSession | undefined>;
}

/** Until when somebody waits. */
interface Turn {
  readonly deadlineMs: number;
  readonly signal: AbortSignal;
}

/** No session is free, or none opened in time. */
const NOT_NOW: ReadonlySet<string> = new Set(['unavailable', 'timeout']);

/** A queue in front of a recogniser. */
export function createRecognizerQueue(recognizer: Recognizer, clock: Clock): RecognizerQueue {
  /** Who waits, in order; the first is woken when a session may be free. */
  const waiting: { wake(): void }[] = [];

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
      // One that still opens is of no use any more.
      opening.then(session => session.close()).catch(() => {});
      if (error instanceof RxscribeError && NOT_NOW.has(error.code)) return undefined;
      throw error;
    }
  }

  async function waitInLine(
    sessionOptions: RecognizerSessionOptions,
    turn: Turn,
  ): Promise<RecognizerSession | undefined> {
    const place = { wake: () => {} };
    waiting.push(place);
    try {
      while (clock.now() < turn.deadlineMs) {
        const delayMs = Math.min(RECOGNIZER_RETRY_MS, turn.deadlineMs - clock.now());
        await nextChance(place, delayMs, turn.signal);
        if (waiting[0] !== place) continue;
        const session = await open(sessionOptions, turn);
        if (session) return session;
      }
      return undefined;
    } finally {
      waiting.splice(waiting.indexOf(place), 1);
      waiting[0]?.wake();
    }
  }

  function nextChance(place: { wake(): void }, delayMs: number, signal: AbortSignal): Promise<void> {
    return new Promise((resolve, reject) => {
      const done = () => {
        cancel();
        signal.removeEventListener('abort', done);
        place.wake = () => {};
        if (signal.aborted) reject(signal.reason);
        else resolve();
      };
      const cancel = clock.schedule(delayMs, done);
      place.wake = done;
      signal.addEventListener('abort', done, { once: true });
      if (signal.aborted) done();
    });
  }

  return {
    async acquire(sessionOptions, { waitMs, signal }) {
      const turn = { deadlineMs: clock.now() + waitMs, signal };
      const session = waiting.length === 0 ? await open(sessionOptions, turn) : undefined;
      return session ?? waitInLine(sessionOptions, turn);
    },
  };
}
