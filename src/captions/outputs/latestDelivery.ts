import { fullJitterMs } from '../../base/backoff.ts';
import { type Clock, systemClock } from '../../base/clock.ts';
import { reasonOf } from '../../base/errors.ts';
import { createTimer, type Timer } from '../../base/wait/timer.ts';
import { settledWithin, withAbort } from '../../base/wait/withTimeout.ts';
import type { OutputReport } from './captionOutput.ts';

export interface DeliveryOptions<T> {
  /** Name of the output, for notes. */
  readonly name: string;
  /** Delivers a value. A rejection is followed by another attempt. */
  readonly send: (value: T, signal: AbortSignal) => Promise<void>;
  /** Combines a value that is not delivered with a newer one. Default: the newer one replaces it. */
  readonly merge?: (older: T, newer: T) => T;
  /** Minimum milliseconds from the start of one delivery to the next, or a function of the value delivered last. Default 0. */
  readonly minIntervalMs?: number | ((last: T) => number);
  /** Milliseconds for one delivery, after which it has failed. Default 5000. */
  readonly timeoutMs?: number;
  /** Called when deliveries begin to fail, and when they succeed again. */
  readonly onNote?: (note: string) => void;
  /** Default `systemClock`. */
  readonly clock?: Clock;
}

const DEFAULT_TIMEOUT_MS = 5000;

/** Waits between failed attempts. */
const BACKOFF = { baseMs: 500, capMs: 10_000 } as const;
/** Minimum wait after a failure, so that jitter never becomes a busy loop. */
const LEAST_WAIT_MS = 100;
/** Milliseconds for the last delivery when an output is closed. */
const CLOSE_MS = 3000;

/** Waits after refusals, which double: a refusal may be brief, as at the start of a broadcast; a lasting one rarely ends. */
const REFUSED = { baseMs: 2000, capMs: 30_000 } as const;

/** A refusal, after which the next attempt waits longer than after another failure. */
export class RetryLaterError extends Error {
  override readonly name = 'RetryLaterError';

  constructor(cause: Error) {
    super(cause.message, { cause });
  }
}

/** Delivery of the latest value to a slow or failing target: one value at a time, with at most one more waiting. */
export class LatestDelivery<T> {
  readonly #options: DeliveryOptions<T>;
  readonly #clock: Clock;
  readonly #timer: Timer;
  readonly #counts = { shown: 0, skipped: 0, failures: 0 };
  #pending: { readonly value: T } | undefined;
  #sending: AbortController | undefined;
  #startedAtMs = Number.NEGATIVE_INFINITY;
  #intervalMs = 0;
  #failedAttempts = 0;
  #refusals = 0;
  #failure: string | undefined;
  #isClosed = false;
  /** Resolves after the last delivery, once closed. */
  readonly #idle = Promise.withResolvers<void>();

  constructor(options: DeliveryOptions<T>) {
    this.#options = options;
    this.#clock = options.clock ?? systemClock;
    this.#timer = createTimer(this.#clock);
  }

  /** Delivers a value as soon as the one before it has been delivered and the interval is over. */
  push(value: T): void {
    if (this.#isClosed) return;
    this.#keep(value);
    this.#start();
  }

  /** Delivers a value now: a pending value is dropped, a delivery in progress is aborted, and the interval is ignored. */
  pushNow(value: T): void {
    if (this.#isClosed) return;
    this.drop();
    this.#sending?.abort();
    this.#sending = undefined;
    this.#timer.stop();
    this.#send({ value });
  }

  /** Drops the pending value. */
  drop(): void {
    if (this.#pending) this.#counts.skipped++;
    this.#pending = undefined;
  }

  report(): OutputReport {
    return { ...this.#counts, failure: this.#failure };
  }

  /** Delivers the pending value, within three seconds. Never rejects. */
  async close(): Promise<void> {
    if (this.#isClosed) return;
    this.#isClosed = true;
    if (this.#pending && !this.#sending) {
      this.#timer.stop();
      this.#send(this.#pending);
    }
    if (this.#sending) await settledWithin(CLOSE_MS, this.#idle.promise, this.#clock);
    this.drop();
    this.#timer.stop();
    this.#sending?.abort();
  }

  #keep(value: T): void {
    if (!this.#pending) {
      this.#pending = { value };
      return;
    }
    const { merge } = this.#options;
    if (!merge) this.#counts.skipped++;
    this.#pending = { value: merge ? merge(this.#pending.value, value) : value };
  }

  /** Sends the pending value, now or when the interval or the wait after a failure is over. */
  #start(): void {
    if (this.#sending || this.#timer.isRunning || !this.#pending) return;
    const waitMs = this.#startedAtMs + this.#intervalMs - this.#clock.now();
    if (waitMs > 0) this.#wait(waitMs);
    else this.#send(this.#pending);
  }

  #wait(delayMs: number): void {
    this.#timer.start(delayMs, () => {
      if (this.#pending && !this.#sending) this.#send(this.#pending);
    });
  }

  #send({ value }: { readonly value: T }): void {
    this.#pending = undefined;
    const sending = new AbortController();
    this.#sending = sending;
    this.#startedAtMs = this.#clock.now();
    const { send, timeoutMs = DEFAULT_TIMEOUT_MS, minIntervalMs = 0 } = this.#options;
    this.#intervalMs = typeof minIntervalMs === 'number' ? minIntervalMs : minIntervalMs(value);
    const cancelTimeout = this.#clock.schedule(timeoutMs, () =>
      sending.abort(new Error(`no answer within ${timeoutMs / 1000} s`)),
    );
    const settle = (then: () => void) => {
      cancelTimeout();
      // An aborted delivery was replaced by another one.
      if (this.#sending !== sending) return;
      this.#sending = undefined;
      then();
      if (this.#isClosed && !this.#sending) this.#idle.resolve();
    };
    const delivered = (async () => send(value, sending.signal))();
    withAbort(delivered, sending.signal).then(
      () => settle(() => this.#onSent()),
      error => settle(() => this.#onFailed(value, error)),
    );
  }

  #onSent(): void {
    this.#counts.shown++;
    this.#failedAttempts = 0;
    this.#refusals = 0;
    if (this.#failure !== undefined) this.#options.onNote?.(`Output ${this.#options.name} works again.`);
    this.#failure = undefined;
    if (this.#isClosed && this.#pending) this.#send(this.#pending);
    else this.#start();
  }

  #onFailed(value: T, error: unknown): void {
    this.#counts.failures++;
    const reason = reasonOf(error);
    if (this.#failure === undefined) this.#options.onNote?.(`Output ${this.#options.name} fails: ${reason}.`);
    this.#failure = reason;
    this.#keepFailed(value);
    if (this.#isClosed) return;
    const isRefused = error instanceof RetryLaterError;
    if (isRefused) this.#wait(Math.min(REFUSED.capMs, REFUSED.baseMs * 2 ** this.#refusals++));
    else this.#wait(Math.max(LEAST_WAIT_MS, fullJitterMs(this.#failedAttempts++, BACKOFF)));
  }

  #keepFailed(value: T): void {
    const newer = this.#pending;
    this.#pending = { value };
    if (newer) this.#keep(newer.value);
  }
}
