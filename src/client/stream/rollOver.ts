import type { Clock } from '../../base/clock.ts';
import { createTimer, type Timer } from '../../base/timer.ts';

/** How long a connection that is to take over waits for a pause: a service closes what stays without audio for 15 s. */
const PAUSE_WAIT_MS = 10_000;

/** Until the next try, when there was no second connection to be had. */
const RETRY_MS = 30_000;

export interface RollOverOptions {
  /** How long one connection is used. */
  readonly sessionSeconds: number;
  readonly clock: Clock;
  /** Opens a second connection. */
  readonly prepare: () => void;
  /** Lets it take over. */
  readonly takeOver: () => void;
}

/** When a stream moves to a second connection, before the first is as old as a service lets one be. */
export class RollOver {
  readonly #options: RollOverOptions;
  readonly #timer: Timer;
  #isReady = false;

  constructor(options: RollOverOptions) {
    this.#options = options;
    this.#timer = createTimer(options.clock);
  }

  /** A connection begins. */
  start(): void {
    this.#isReady = false;
    this.#timer.start(this.#options.sessionSeconds * 1000, this.#options.prepare);
  }

  /** The second connection could take over: at the next pause, or soon without one. */
  ready(): void {
    this.#isReady = true;
    this.#timer.start(PAUSE_WAIT_MS, this.#options.takeOver);
  }

  /** The second connection failed. */
  failed(): void {
    this.#isReady = false;
    this.#timer.start(RETRY_MS, this.#options.prepare);
  }

  /** A final has come: nobody speaks, or the utterance was cut. */
  pause(): void {
    if (this.#isReady) this.#options.takeOver();
  }

  stop(): void {
    this.#isReady = false;
    this.#timer.stop();
  }
}
