import { fromEvent, type Observable, takeUntil } from 'rxjs';

/**
 * Calls a function with each value of an Observable, and resolves at its end.
 *
 * @throws its errors; the signal's reason when it is aborted
 */
export async function forEachUntilAborted<T>(
  values$: Observable<T>,
  signal: AbortSignal | undefined,
  take: (value: T) => void,
): Promise<void> {
  signal?.throwIfAborted();
  await (signal ? values$.pipe(takeUntil(fromEvent(signal, 'abort'))) : values$).forEach(take);
  signal?.throwIfAborted();
}
