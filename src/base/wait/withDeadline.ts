import type { Clock } from '../clock.ts';

export interface DeadlineOptions {
  readonly timeoutMs: number;
  /** Returns the reason of the abort when the time is over. */
  readonly lateError: () => Error;
  readonly clock: Clock;
  readonly signal?: AbortSignal;
}

/** Runs `work` with a signal that is aborted when `options.signal` is, or when the time is over. */
export async function withDeadline<T>(
  options: DeadlineOptions,
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const { timeoutMs, lateError, clock, signal } = options;
  const late = new AbortController();
  const cancel = clock.schedule(timeoutMs, () => late.abort(lateError()));
  try {
    return await work(signal ? AbortSignal.any([signal, late.signal]) : late.signal);
  } finally {
    cancel();
  }
}
