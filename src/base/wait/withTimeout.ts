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
 * @throws RxscribeError `timeout` when the time is over; the signal's reason when it is aborted
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
