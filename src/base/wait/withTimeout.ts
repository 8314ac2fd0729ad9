import type { Clock } from '../clock.ts';
import { RxscribeError } from '../errors.ts';

export interface TimeoutOptions {
  readonly clock: Clock;
  readonly timeoutMs: number;
  readonly signal?: AbortSignal;
}

/**
 * Resolves as the promise does.
 *
 * @throws RxscribeError `timeout` after the timeout; the signal's reason when it is aborted
 */
export function withTimeout<T>(promise: Promise<T>, options: TimeoutOptions): Promise<T> {
  const lateError = () => new RxscribeError('timeout', `Nothing happened within ${options.timeoutMs} ms.`);
  return withDeadline({ ...options, lateError }, signal => withAbort(promise, signal));
}

/** Resolves when the promise has settled, or after the timeout. Never rejects. */
export async function settledWithin(
  timeoutMs: number,
  promise: Promise<unknown>,
  clock: Clock,
): Promise<void> {
  await withTimeout(promise, { timeoutMs, clock }).catch(() => {});
}

export interface DeadlineOptions extends TimeoutOptions {
  /** Creates the reason of the abort after the timeout. */
  readonly lateError: () => Error;
}

/** Runs `work` with a signal that is aborted after the timeout, or when `options.signal` is. */
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

/**
 * Resolves as the promise does.
 *
 * @throws the signal's reason when it is aborted first
 */
export async function withAbort<T>(promise: Promise<T>, signal?: AbortSignal): Promise<T> {
  if (!signal) return promise;
  const { promise: aborted, reject } = Promise.withResolvers<never>();
  const onAbort = () => reject(signal.reason);
  signal.addEventListener('abort', onAbort, { once: true });
  if (signal.aborted) onAbort();
  try {
    return await Promise.race([promise, aborted]);
  } finally {
    signal.removeEventListener('abort', onAbort);
  }
}
