import type { Clock } from '../../../base/clock.ts';
import { createTimer, type Timer } from '../../../base/timer.ts';
import { nextTry, type Outage, type ReconnectOptions } from './reconnect.ts';

/** A connection that holds for so long has ended the outage, also when nothing is said on it. */
const STEADY_MS = 30_000;

/** When to connect again, if at all. */
export class Retries {
  readonly #options: Required<ReconnectOptions> | false;
  readonly #clock: Clock;
  readonly #timer: Timer;
  #outage: Outage | undefined;
  #connectedMs: number | undefined;
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
    this.#connectedMs = this.#clock.now();
  }

  /** The service is there; whether it is of use is seen when it has been for a while. */
  alive(): void {
    if (this.#connectedMs !== undefined && this.#clock.now() - this.#connectedMs >= STEADY_MS)
      this.progressed();
  }

  /** Something came of the connection. */
  progressed(): void {
    this.#outage = undefined;
  }

  /** Plans the next try. Gives the milliseconds until then; undefined when there is none. */
  failed(error: unknown, tryAgain: () => void): number | undefined {
    this.#failures++;
    this.#connectedMs = undefined;
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
