import type { Clock } from '../../base/clock.ts';
import { RxscribeError } from '../../base/errors.ts';
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

  async function open(options: RecognizerSessionOptions): Promise<RecognizerSession | undefined> {
    try {
      return watched(await recognizer.open(options));
    } catch (error) {
      if (error instanceof RxscribeError && error.code === 'unavailable') return undefined;
      throw error;
    }
  }

  async function waitInLine(
    sessionOptions: RecognizerSessionOptions,
    options: QueueOptions,
  ): Promise<RecognizerSession | undefined> {
    const place = { wake: () => {} };
    waiting.push(place);
    const deadline = clock.now() + options.waitMs;
    try {
      while (clock.now() < deadline) {
        await nextChance(place, Math.min(RECOGNIZER_RETRY_MS, deadline - clock.now()), options.signal);
        if (waiting[0] !== place) continue;
        const session = await open(sessionOptions);
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
    async acquire(sessionOptions, options) {
      const session = waiting.length === 0 ? await open(sessionOptions) : undefined;
      return session ?? waitInLine(sessionOptions, options);
    },
  };
}
