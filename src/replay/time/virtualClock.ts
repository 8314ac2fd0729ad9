import { setImmediate } from 'node:timers/promises';
import type { Clock } from '../../base/clock.ts';
import { createGate } from '../../flow/gate.ts';

interface Timer {
  readonly dueMs: number;
  readonly callback: () => void;
}

/** Lets happen what can without time. Resolves with whether anything did that others may answer to. */
export type Settle = () => Promise<boolean>;

/**
 * A clock that stands still until it is moved.
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
  readonly #parties = new Set<Settle>();
  readonly #gate = createGate();

  /** @param startedAt wall time at its beginning, in milliseconds since 1970-01-01 UTC. Default: 2026-01-01. */
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
    // Infinity never comes, as the seam has it.
    if (delayMs === Number.POSITIVE_INFINITY) return () => {};
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

  /** When the next timer is due; infinite when there is none. */
  get nextMs(): number {
    return this.#next()?.dueMs ?? Number.POSITIVE_INFINITY;
  }

  /** Moves time to the next timer, and calls that back. False when there is none. */
  advanceToNext(): boolean {
    return this.#runNext(Number.MAX_VALUE);
  }

  /** `settle()` waits while anybody holds, as for a file that is read. Returns the release; twice is harmless. */
  hold(): () => void {
    return this.#gate.hold();
  }

  /** `settle()` asks this as well, as of a socket. Returns the leave; twice is harmless. */
  join(settle: Settle): () => void {
    this.#parties.add(settle);
    return () => {
      this.#parties.delete(settle);
    };
  }

  /** Waits until nothing happens any more without time. Rejects with the signal's reason. */
  async settle(signal?: AbortSignal): Promise<void> {
    for (let isMoving = true; isMoving; ) {
      await setImmediate();
      await this.#gate.whenOpen(signal);
      signal?.throwIfAborted();
      const moves = await Promise.all([...this.#parties].map(settle => settle()));
      isMoving = moves.includes(true) || !this.#gate.isOpen;
    }
  }

  #runNext(end: number): boolean {
    const next = this.#next();
    if (!next || next.dueMs > end) return false;
    this.#timers.delete(next);
    this.#nowMs = next.dueMs;
    next.callback();
    return true;
  }

  #next(): Timer | undefined {
    let next: Timer | undefined;
    for (const timer of this.#timers) {
      if (!next || timer.dueMs < next.dueMs) next = timer;
    }
    return next;
  }
}

/** A clock that may stand still for whoever is busy: as {@link VirtualClock} does, and whatever passes these on to one. */
export type StillClock = Clock & Partial<Pick<VirtualClock, 'hold' | 'join'>>;

/** Does something while a clock stands still that can; any other one goes on. */
export async function heldDuring<T>(clock: StillClock, action: () => Promise<T>): Promise<T> {
  const release = clock.hold?.();
  try {
    return await action();
  } finally {
    release?.();
  }
}
