import { Subject, VirtualTimeScheduler } from 'rxjs';
import type { Clock } from '../../../../src/base/clock.ts';
import type { CaptionStep } from '../../../../src/captions/captionStep.ts';
import { type CaptionStepOptions, captionSteps } from '../../../../src/captions/captionSteps.ts';
import { type LiveCueOptions, liveCues } from '../../../../src/captions/cues/liveCues.ts';
import type { FinalEvent, LiveEvent } from '../../../../src/transcript/model/events.ts';

/** A value and its time in milliseconds, on the clock of a run. */
export interface Timed<T> {
  readonly atMs: number;
  readonly value: T;
}

/** A step of live captions, and the final that it belongs to, if any. */
export interface TimedStep {
  readonly atMs: number;
  readonly step: CaptionStep;
  readonly final?: FinalEvent;
}

export interface TimedStepOptions extends Omit<CaptionStepOptions, 'clock' | 'paused$'> {
  readonly profile?: LiveCueOptions['profile'];
}

/** Returns the steps that live captions made of recorded events, in the order of their times. */
export function timedSteps(
  events: readonly Timed<LiveEvent>[],
  options: TimedStepOptions = {},
): readonly TimedStep[] {
  const scheduler = new VirtualTimeScheduler();
  const clock = clockOf(scheduler);
  const events$ = new Subject<LiveEvent>();
  const steps: TimedStep[] = [];
  let final: FinalEvent | undefined;
  const take = (step: CaptionStep) => void steps.push({ atMs: clock.now(), step, final });
  const { profile, ...words } = options;
  events$.pipe(captionSteps({ ...words, clock })).subscribe(take);
  events$.pipe(liveCues({ clock, spokenAtMs: ts => ts * 1000, profile })).subscribe(take);
  // Timers that fall due at the time of an event come first, as they were scheduled earlier.
  const play = (index: number) => {
    const event = events[index];
    if (!event) return events$.complete();
    clock.schedule(event.atMs - clock.now(), () => {
      final = event.value.type === 'final' ? event.value : undefined;
      events$.next(event.value);
      final = undefined;
      play(index + 1);
    });
  };
  play(0);
  scheduler.flush();
  return steps;
}

/** Returns a clock of the virtual time of a scheduler. */
function clockOf(scheduler: VirtualTimeScheduler): Clock {
  return {
    now: () => scheduler.now(),
    wallTime: () => scheduler.now(),
    schedule(delayMs, callback) {
      const action = scheduler.schedule(callback, Math.max(0, delayMs));
      return () => action.unsubscribe();
    },
  };
}
