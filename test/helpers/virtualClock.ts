import { setImmediate } from 'node:timers/promises';
import type { Clock } from '../../src/base/clock.ts';

interface Timer {
  readonly dueMs: number;
  readonly callback: () => void;
}

/**
 * A clock that stands still until the test moves it.
 *
 * @example
 * const clock = new VirtualClock();
 * const done = delay(100, { clock });
 * clock.advance(100);
 * await done;
 */
export class VirtualClock implements Clock {
  #nowMs = 0;
  readonly #startedAt: number;
  readonly #timers = new Set<Timer>();

  constructor(startedAt = Date.UTC(2026, 0, 1)) {
    this.#startedAt = startedAt;
  }

  now(): number {
    return this.#nowMs;
  }

  wallTime(): number {
    return this.#startedAt + this.#nowMs;
  }

  schedule(delayMs: number, callback: () => void): () => void {
    const timer = { dueMs: this.#nowMs + Math.max(0, delayMs), callback };
    this.#timers.add(timer);
    return () => {
      this.#timers.delete(timer);
    };
  }

  /** Timers that wait: 0 when all is cleaned up. */
  get pending(): number {
    return this.#timers.size;
  }

  /** Moves time on, and calls back on the way all that falls due, in order of time, then of scheduling. */
  advance(ms: number): void {
    const end = this.#nowMs + ms;
    while (this.#runNext(end));
    this.#nowMs = end;
  }

  /** As `advance`, but before each timer promises may settle and I/O that is ready may happen. */
  async advanceAsync(ms: number): Promise<void> {
    const end = this.#nowMs + ms;
    await setImmediate();
    while (this.#runNext(end)) await setImmediate();
    this.#nowMs = end;
  }

  #runNext(end: number): boolean {
    let next: Timer | undefined;
    for (const timer of this.#timers) {
      if (timer.dueMs <= end && (!next || timer.dueMs < next.dueMs)) next = timer;
    }
    if (!next) return false;
    this.#timers.delete(next);
    this.#nowMs = next.dueMs;
    next.callback();
    return true;
  }
}
