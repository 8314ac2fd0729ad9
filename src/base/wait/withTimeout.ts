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
  const { clock, timeoutMs, signal } = options;
  return new Promise((resolve, reject) => {
    const settle = (how: () => void) => () => {
      cancel();
      signal?.removeEventListener('abort', onAbort);
      how();
    };
    const onAbort = settle(() => reject(signal?.reason));
    const late = settle(() =>
      reject(new RxscribeError('timeout', `Nothing happened within ${timeoutMs} ms.`)),
    );
    const cancel = clock.schedule(timeoutMs, late);
    signal?.addEventListener('abort', onAbort, { once: true });
    promise.then(
      value => settle(() => resolve(value))(),
      error => settle(() => reject(error))(),
    );
    if (signal?.aborted) onAbort();
  });
}

/** Resolves when the promise has settled, or after the timeout. Never rejects. */
export async function settledWithin(
  timeoutMs: number,
  promise: Promise<unknown>,
  clock: Clock,
): Promise<void> {
  await withTimeout(promise, { timeoutMs, clock }).catch(() => {});
}

export interface DeadlineOptions {
  readonly timeoutMs: number;
  /** Creates the reason of the abort after the timeout. */
  readonly lateError: () => Error;
  readonly clock: Clock;
  readonly signal?: AbortSignal;
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
