import { filter, type Observable, type OperatorFunction, takeUntil, tap } from 'rxjs';
import type { AudioBlock } from '../../audio/format/format.ts';
import type { LiveEvent } from '../../transcript/model/events.ts';

export interface InterruptedOptions {
  /** What hears the audio; it completes only when it is done with all of it. */
  readonly live: OperatorFunction<AudioBlock, LiveEvent>;
  readonly interrupted$: Observable<unknown>;
  /** Whether the audio is over; told here. */
  readonly sourceOver$: { readonly value: boolean; next(isOver: boolean): void };
}

/** Hears audio to its end, or to the first interruption: then the last final still arrives. The next one ends that as well. */
export function untilInterrupted({
  live,
  interrupted$,
  sourceOver$,
}: InterruptedOptions): OperatorFunction<AudioBlock, LiveEvent> {
  return audio$ =>
    audio$.pipe(
      takeUntil(interrupted$),
      tap({ complete: () => sourceOver$.next(true) }),
      live,
      // Told before the source is: what ends that does not end this as well.
      takeUntil(interrupted$.pipe(filter(() => sourceOver$.value))),
    );
}
