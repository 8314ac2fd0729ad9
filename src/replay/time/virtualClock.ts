import { setImmediate } from 'node:timers/promises';
import type { Clock } from '../../base/clock.ts';
import { createGate } from '../../flow/gate.ts';

interface Timer {
  readonly dueMs: number;
  readonly callback: () => void;
}

/**
 * Lets everything happen that needs no time. Resolves with true when something happened that another party may react
 * to.
 */
export type Settle = () => Promise<boolean>;

/**
 * A clock that stands still until it is advanced.
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

  /** @param startedAt wall time at the start, in milliseconds since 1970-01-01 UTC. Default: 2026-01-01. */
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
    // As `Clock` specifies, a timer with an infinite delay never fires.
    if (delayMs === Number.POSITIVE_INFINITY) return () => {};
    const timer = { dueMs: this.#nowMs + Math.max(0, delayMs), callback };
    this.#timers.add(timer);
    return () => {
      this.#timers.delete(timer);
    };
  }

  /** Number of pending timers: 0 when everything has been cleaned up. */
  get pending(): number {
    return this.#timers.size;
  }

  /** Advances the time and runs every timer that falls due, in order of time, then of scheduling. */
  advance(ms: number): void {
    const end = this.#nowMs + ms;
    while (this.#runNext(end));
    this.#nowMs = end;
  }

  /** Does the same as `advance`, but lets promises settle and ready I/O happen before each timer. */
  async advanceAsync(ms: number): Promise<void> {
    const end = this.#nowMs + ms;
    await setImmediate();
    while (this.#runNext(end)) await setImmediate();
    this.#nowMs = end;
  }

  /** Time of the next timer in milliseconds; infinite when there is none. */
  get nextMs(): number {
    return this.#next()?.dueMs ?? Number.POSITIVE_INFINITY;
  }

  /** Advances the time to the next timer and runs it. Returns false when there is none. */
  advanceToNext(): boolean {
    return this.#runNext(Number.MAX_VALUE);
  }

  /** Keeps `settle()` waiting, for instance while a file is read. Returns the release; calling it twice is harmless. */
  hold(): () => void {
    return this.#gate.hold();
  }

  /**
   * Registers a party, such as a server, that `settle()` also waits for. Returns a function that removes it; calling it
   * twice is harmless.
   */
  join(settle: Settle): () => void {
    this.#parties.add(settle);
    return () => {
      this.#parties.delete(settle);
    };
  }

  /** Resolves when nothing more happens unless time advances. Rejects with the signal's reason. */
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

/** A clock that can be held, as {@link VirtualClock} can; a wrapper passes `hold` and `join` on to it. */
export type HoldableClock = Clock & Partial<Pick<VirtualClock, 'hold' | 'join'>>;

/** Runs an action while holding a clock that can be held; any other clock continues. */
export async function withHold<T>(clock: HoldableClock, action: () => Promise<T>): Promise<T> {
  const release = clock.hold?.();
  try {
    return await action();
  } finally {
    release?.();
  }
}
