import type { Clock } from '../../../base/clock.ts';
import { createTimer, type Timer } from '../../../base/wait/timer.ts';
import { nextTry, type Outage, type ReconnectOptions } from './reconnect.ts';

/**
 * When to connect again, if at all.
 *
 * An outage lasts from its first failure until something is settled: by a final, or by silence, which is what a service
 * has read and said nothing about for a minute (see {@link nextResume}). Connections that come and hold meanwhile do not
 * end it: a service may take audio for ever and give nothing back. Where the source is paused there is nothing to settle;
 * then the answer to a ping ends the outage, else a stream without speech would have to end with its second break.
 */
export class Retries {
  readonly #options: Required<ReconnectOptions> | false;
  readonly #clock: Clock;
  readonly #timer: Timer;
  #outage: Outage | undefined;
  #wasConnected = false;
  #failures = 0;

  constructor(options: Required<ReconnectOptions> | false, clock: Clock) {
    this.#options = options;
    this.#clock = clock;
    this.#timer = createTimer(clock);
  }

  /** Connections that failed so far. */
  get failures(): number {
    return this.#failures;
  }

  /** Whether a service was ever connected. */
  get wasConnected(): boolean {
    return this.#wasConnected;
  }

  /** A try is to come. */
  get isWaiting(): boolean {
    return this.#timer.isRunning;
  }

  connected(): void {
    this.#wasConnected = true;
  }

  /** Something is settled, or there is nothing to settle. */
  progressed(): void {
    this.#outage = undefined;
  }

  /** Plans the next try. Gives the milliseconds until then; undefined when there is none. */
  failed(error: unknown, tryAgain: () => void): number | undefined {
    this.#failures++;
    if (!this.#options) return undefined;
    const failure = { error, nowMs: this.#clock.now(), wasConnected: this.#wasConnected };
    const { outage, delayMs } = nextTry(this.#outage, failure, this.#options);
    this.#outage = outage;
    if (delayMs !== undefined) this.#timer.start(delayMs, tryAgain);
    return delayMs;
  }

  stop(): void {
    this.#timer.stop();
  }
}
