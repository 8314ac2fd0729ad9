import type { Clock } from '../../../base/clock.ts';
import { createTimer, type Timer } from '../../../base/wait/timer.ts';
import { type CatchUp, createCatchUp } from './catchUp.ts';

export interface PacerOptions {
  /** Hz. */
  readonly sampleRate: number;
  /** As of {@link createCatchUp}. */
  readonly speed: number;
  readonly burstSeconds: number;
  /** Whether the source gives audio at its own time; only then a backlog means that something stood still. */
  readonly isLive: () => boolean;
  readonly clock: Clock;
  /** More may go out. */
  readonly onTime: () => void;
}

/** Lets audio of a live source out as it comes, but a backlog at a bounded speed. */
export class Pacer {
  readonly #options: PacerOptions;
  readonly #catchUp: CatchUp;
  readonly #timer: Timer;
  #isCatchingUp = false;

  constructor(options: PacerOptions) {
    this.#options = options;
    this.#catchUp = createCatchUp(options);
    this.#timer = createTimer(options.clock);
  }

  /** How many of the frames that wait may go out now; they count as sent. */
  allow(waitingFrames: number, maxFrames: number): number {
    const { sampleRate, burstSeconds, isLive } = this.#options;
    // Below a tenth of the burst nobody notices; without the distance each block would begin a new burst.
    if (waitingFrames < (burstSeconds * sampleRate) / 10) this.stop();
    else if (!this.#isCatchingUp && waitingFrames > burstSeconds * sampleRate && isLive()) {
      this.#isCatchingUp = true;
      this.#catchUp.start();
    }
    const wanted = Math.min(waitingFrames, maxFrames);
    const allowed = this.#catchUp.allow(wanted);
    if (allowed === 0 && wanted > 0 && !this.#timer.isRunning) this.#wait();
    return allowed;
  }

  stop(): void {
    this.#isCatchingUp = false;
    this.#catchUp.stop();
    this.#timer.stop();
  }

  #wait(): void {
    // Not for each frame: for a tenth of a second of audio.
    const delayMs = this.#catchUp.delayMs(this.#options.sampleRate / 10);
    this.#timer.start(Math.max(1, delayMs), this.#options.onTime);
  }
}
