import type { Clock } from '../base/clock.ts';
import { RxscribeError } from '../base/errors.ts';

/** A promise that may never settle, for as long as there is reason to wait for it. */
export interface PatienceOptions {
  readonly clock: Clock;
  readonly timeoutMs: number;
  readonly signal?: AbortSignal;
}

/**
 * Waits for a promise.
 *
 * @throws the signal's reason; RxscribeError `timeout`; what the promise throws
 */
export function patiently<T>(promise: Promise<T>, options: PatienceOptions): Promise<T> {
  const { clock, timeoutMs, signal } = options;
  return new Promise((resolve, reject) => {
    const settle = (how: () => void) => () => {
      cancel();
      signal?.removeEventListener('abort', onAbort);
      how();
    };
    const onAbort = settle(() => reject(signal?.reason));
    const late = settle(() =>
      reject(new RxscribeError('timeout', `wait: expected an end within ${timeoutMs} ms`)),
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
