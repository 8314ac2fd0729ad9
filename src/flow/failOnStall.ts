import { type MonoTypeOperatorFunction, Observable } from 'rxjs';
import type { Clock } from '../base/clock.ts';

export interface StallOptions {
  /** Longest time before the first value. */
  readonly firstMs: number;
  /** Longest time between two values. */
  readonly eachMs: number;
  readonly clock: Clock;
  /** Creates the error of a source that gave no value for so long. */
  readonly error: (stalledMs: number) => Error;
}

/** Passes values on, and fails when the source gives none for too long. */
export function failOnStall<T>(options: StallOptions): MonoTypeOperatorFunction<T> {
  const { firstMs, eachMs, clock, error } = options;
  return source =>
    new Observable(subscriber => {
      let cancel = () => {};
      const expectWithin = (timeoutMs: number) => {
        cancel();
        cancel = clock.schedule(timeoutMs, () => subscriber.error(error(timeoutMs)));
      };
      expectWithin(firstMs);
      const subscription = source.subscribe({
        next(value) {
          if (subscriber.closed) return;
          expectWithin(eachMs);
          subscriber.next(value);
        },
        error: reason => subscriber.error(reason),
        complete: () => subscriber.complete(),
      });
      return () => {
        subscription.unsubscribe();
        cancel();
      };
    });
}
