import { Subject } from 'rxjs';
import type { Clock } from '../../base/clock.ts';
import type { FinalEvent, LiveEvent } from '../../transcript/model/events.ts';
import type { CaptionStep } from '../captionStep.ts';
import { type CaptionStepOptions, captionSteps } from '../captionSteps.ts';
import { type LiveCueOptions, liveCues } from '../cues/liveCues.ts';

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
  const clock = new RecordedClock();
  const events$ = new Subject<LiveEvent>();
  const steps: TimedStep[] = [];
  let final: FinalEvent | undefined;
  const take = (step: CaptionStep) => void steps.push({ atMs: clock.now(), step, final });
  const { profile, ...words } = options;
  events$.pipe(captionSteps({ ...words, clock })).subscribe(take);
  events$.pipe(liveCues({ clock, spokenAtMs: ts => ts * 1000, profile })).subscribe(take);
  for (const { atMs, value } of events) {
    clock.advanceTo(atMs);
    final = value.type === 'final' ? value : undefined;
    events$.next(value);
    final = undefined;
  }
  events$.complete();
  return steps;
}

/** A clock that follows the times of a recording. */
class RecordedClock implements Clock {
  #nowMs = 0;
  readonly #timers = new Set<{ readonly dueMs: number; readonly callback: () => void }>();

  now(): number {
    return this.#nowMs;
  }

  wallTime(): number {
    return this.#nowMs;
  }

  schedule(delayMs: number, callback: () => void): () => void {
    const timer = { dueMs: this.#nowMs + Math.max(0, delayMs), callback };
    this.#timers.add(timer);
    return () => void this.#timers.delete(timer);
  }

  /** Runs the timers that are due, in order, and goes on to a time; never back. */
  advanceTo(atMs: number): void {
    while (true) {
      const due = [...this.#timers].filter(({ dueMs }) => dueMs <= atMs);
      if (due.length === 0) break;
      const next = due.reduce((first, timer) => (timer.dueMs < first.dueMs ? timer : first));
      this.#timers.delete(next);
      this.#nowMs = Math.max(this.#nowMs, next.dueMs);
      next.callback();
    }
    this.#nowMs = Math.max(this.#nowMs, atMs);
  }
}
