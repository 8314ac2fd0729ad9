import type { Clock } from '../../../base/clock.ts';
import { createTimer, type Timer } from '../../../base/wait/timer.ts';

/** A service closes what stays without audio for 15 s. */
const IDLE_MS = 5000;

/** Silence that ends an utterance, and silence that only says that somebody is there. */
const FIRST_PAD_SECONDS = 1;
const NEXT_PAD_SECONDS = 0.1;

export interface IdleWatchOptions {
  readonly clock: Clock;
  /** How far the audio was sent; undefined while some waits, or none is taken. */
  readonly sentFrame: () => number | undefined;
  /** Nothing was sent for a while: so much silence would keep the connection. Called again and again. */
  readonly onIdle: (padSeconds: number) => void;
}

/** Sees when a source gives no audio, as one that is paused. */
export class IdleWatch {
  readonly #options: IdleWatchOptions;
  readonly #timer: Timer;
  #frame: number | undefined;
  #isIdle = false;

  constructor(options: IdleWatchOptions) {
    this.#options = options;
    this.#timer = createTimer(options.clock);
  }

  /** The source has stood for a while, and all that it gave was sent. */
  get isIdle(): boolean {
    return this.#isIdle && this.#options.sentFrame() === this.#frame;
  }

  start(): void {
    this.#timer.start(IDLE_MS, () => this.#look());
  }

  stop(): void {
    this.#timer.stop();
  }

  #look(): void {
    this.start();
    const frame = this.#options.sentFrame();
    const stands = frame !== undefined && frame === this.#frame;
    this.#frame = frame;
    if (stands) this.#options.onIdle(this.#isIdle ? NEXT_PAD_SECONDS : FIRST_PAD_SECONDS);
    this.#isIdle = stands;
  }
}
