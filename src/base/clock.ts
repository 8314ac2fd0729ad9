/** A source of time and timers, which tests replace with virtual time. */
export interface Clock {
  /** Milliseconds of a monotonic clock with an arbitrary origin. */
  now(): number;
  /** Milliseconds since 1970-01-01 UTC, for timestamps only. */
  wallTime(): number;
  /** Calls back once after a delay; never after an infinite one. Returns a function that cancels the call, idempotent. */
  schedule(delayMs: number, callback: () => void): () => void;
}

/** Longest delay of a Node timer; Node replaces longer ones by 1 ms. */
const LONGEST_TIMER_MS = 2 ** 31 - 1;

/** The clock of the system. */
export const systemClock: Clock = {
  now: () => performance.now(),
  wallTime: () => Date.now(),
  schedule(delayMs, callback) {
    let timer: NodeJS.Timeout;
    const wait = (restMs: number) => {
      const isLong = restMs > LONGEST_TIMER_MS;
      timer = isLong
        ? setTimeout(() => wait(restMs - LONGEST_TIMER_MS), LONGEST_TIMER_MS)
        : setTimeout(callback, Math.max(0, restMs));
    };
    wait(delayMs);
    return () => clearTimeout(timer);
  },
};

/**
 * Resolves after a delay.
 *
 * @throws the signal's reason when it is aborted, before or during the wait
 */
export function delay(delayMs: number, options: { clock?: Clock; signal?: AbortSignal } = {}): Promise<void> {
  const { clock = systemClock, signal } = options;
  return new Promise((resolve, reject) => {
    if (signal?.aborted) return reject(signal.reason);
    const onAbort = () => {
      cancel();
      reject(signal?.reason);
    };
    const cancel = clock.schedule(delayMs, () => {
      signal?.removeEventListener('abort', onAbort);
      resolve();
    });
    signal?.addEventListener('abort', onAbort, { once: true });
  });
}
