import type { Clock } from '../../../base/clock.ts';
import { createTimer, type Timer } from '../../../base/wait/timer.ts';
import type { ConnectedEvent } from '../../../transcript/model/events.ts';
import type { Leg } from './leg.ts';

/** How long a connection that is to take over waits for a pause. */
const PAUSE_WAIT_MS = 240_000;

/** Meanwhile it needs some silence: a service closes what stays without audio for 15 s. */
const KEEP_ALIVE_MS = 5000;

/** Until the next try, when there was no second connection to be had. */
const RETRY_MS = 30_000;

export interface RollOverOptions {
  /** How long one connection is used. */
  readonly sessionSeconds: number;
  readonly clock: Clock;
  /** Makes a second connection; it is not started. */
  readonly open: () => Leg;
  readonly keepAlive: (leg: Leg) => void;
  /** It is time to {@link RollOver.take} it. */
  readonly onTime: () => void;
}

/** Moves a stream to a second connection, before the first is as old as a service lets one be. */
export class RollOver {
  readonly #options: RollOverOptions;
  readonly #timer: Timer;
  #standby: Leg | undefined;
  #isReady = false;

  constructor(options: RollOverOptions) {
    this.#options = options;
    this.#timer = createTimer(options.clock);
  }

  /** A connection begins. */
  start(): void {
    this.#timer.start(this.#options.sessionSeconds * 1000, () => this.#open());
  }

  /** The service is ready on a connection. If it is the second one, that takes over at the next pause, or soon without. */
  connected(leg: Leg, event: ConnectedEvent): void {
    if (leg !== this.#standby) return;
    leg.connected = event;
    this.#isReady = true;
    this.#wait(leg, 0);
  }

  /** A final has come: nobody speaks, or the utterance was cut. */
  pause(): void {
    if (this.#isReady) this.#options.onTime();
  }

  /** A connection has ended. */
  ended(leg: Leg): void {
    if (leg !== this.#standby) return;
    this.take();
    this.#timer.start(RETRY_MS, () => this.#open());
  }

  /** The second connection, if there is one; it is the caller's from now on. */
  take(): Leg | undefined {
    const leg = this.#standby;
    this.#standby = undefined;
    this.#isReady = false;
    this.#timer.stop();
    return leg;
  }

  #wait(leg: Leg, waitedMs: number): void {
    this.#timer.start(KEEP_ALIVE_MS, () => {
      if (waitedMs >= PAUSE_WAIT_MS) this.#options.onTime();
      else {
        this.#options.keepAlive(leg);
        this.#wait(leg, waitedMs + KEEP_ALIVE_MS);
      }
    });
  }

  #open(): void {
    this.#standby = this.#options.open();
    this.#standby.connection.start();
  }
}
