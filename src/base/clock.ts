/** Time as a capability, so that tests can own it. */
export interface Clock {
  /** Milliseconds of a clock that never goes back; the origin has no meaning. */
  now(): number;
  /** Milliseconds since 1970-01-01 UTC, for records only. */
  wallTime(): number;
  /** Calls back once after a delay, never after an infinite one. Returns the cancellation; calling that twice is harmless. */
  schedule(delayMs: number, callback: () => void): () => void;
}

/** What a timer of Node can count: from longer delays it makes 1 ms. */
const LONGEST_TIMER_MS = 2 ** 31 - 1;

/** The machine's own time. */
export const systemClock: Clock = {
  now: () => performance.now(),
  wallTime: () => Date.now(),
  schedule(delayMs, callback) {
    let timer: NodeJS.Timeout;
    const wait = (restMs: number) => {
      const isLong = restMs > LONGEST_TIMER_MS;
      timer = isLong
        ? setTimeout(() => wait(restMs - LONGEST_TIMER_MS), LONGEST_TIMER_MS)
        : setTimeout(callback, restMs);
    };
    wait(delayMs);
    return () => clearTimeout(timer);
  },
};

/**
 * Waits on a clock.
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
