import { type Clock, systemClock } from '../../../base/clock.ts';
import { InvalidArgumentError } from '../../../base/errors.ts';
import { createTimer, type Timer } from '../../../base/wait/timer.ts';

/** Defaults of {@link CatchUpOptions}. */
export const CATCH_UP_DEFAULTS = { speed: 2, burstSeconds: 5 } as const;

export interface CatchUpOptions {
  /** Hz. */
  readonly sampleRate: number;
  /** Seconds of audio a second; above 1, or the lag would never shrink. `Infinity`: no bound. Default 2. */
  readonly speed?: number;
  /** Seconds of audio that may go at once; above 0. Default 5. */
  readonly burstSeconds?: number;
  readonly clock?: Clock;
}

/** A bound on the speed at which a backlog is sent, so that a service is not flooded. Without a backlog there is no bound. */
export interface CatchUp {
  /** Begins a backlog, of which a whole burst may go; also when one has begun already. */
  start(): void;
  /** Returns how many of the given frames may go now, and counts them as sent. */
  allow(frames: number): number;
  /** Returns the milliseconds until the given frames (default 1), a whole burst at most, may go; 0 when they may go now. */
  delayMs(frames?: number): number;
  /** Ends the backlog. */
  stop(): void;
}

/**
 * Creates a token bucket over integer frames: in any `t` seconds at most `(burstSeconds + speed * t) * sampleRate` frames
 * go, to within one.
 *
 * @throws InvalidArgumentError for a speed or a burst out of range
 * @example
 * const catchUp = createCatchUp({ sampleRate: 16_000 });
 * catchUp.start();
 * catchUp.allow(100_000); // 80000
 * catchUp.delayMs(1600); // about 50
 */
export function createCatchUp(options: CatchUpOptions): CatchUp {
  const { speed = CATCH_UP_DEFAULTS.speed, burstSeconds = CATCH_UP_DEFAULTS.burstSeconds } = options;
  const { sampleRate, clock = systemClock } = options;
  if (!(speed > 1)) throw new InvalidArgumentError(`Option 'speed' must be above 1, not ${speed}.`);
  if (!(burstSeconds > 0)) {
    throw new InvalidArgumentError(`Option 'burstSeconds' must be above 0, not ${burstSeconds}.`);
  }
  const size = Math.max(1, Math.floor(burstSeconds * sampleRate));
  const framesPerMs = (speed * sampleRate) / 1000;
  const isBounded = framesPerMs < Number.POSITIVE_INFINITY;
  let bucket: Bucket | undefined;

  /** Returns the frames that may go now, where there is a bound. */
  function available({ sinceMs, frames }: Bucket): number {
    return Math.min(size, frames + Math.floor((clock.now() - sinceMs) * framesPerMs));
  }

  return {
    start() {
      if (isBounded) bucket = { sinceMs: clock.now(), frames: size };
    },
    allow(frames) {
      if (!bucket) return frames;
      const most = available(bucket);
      // The time of a full bucket begins now, since it cannot fill further. Otherwise its beginning stays, so that no part of
      // a frame is lost.
      if (most === size) bucket = { sinceMs: clock.now(), frames: size };
      const allowed = Math.min(frames, most);
      bucket = { ...bucket, frames: bucket.frames - allowed };
      return allowed;
    },
    delayMs(frames = 1) {
      if (!bucket) return 0;
      const wanted = Math.min(frames, size);
      if (available(bucket) >= wanted) return 0;
      const waitMs = bucket.sinceMs + (wanted - bucket.frames) / framesPerMs - clock.now();
      // Rounded up: a fraction must not leave the last frame missing.
      return Math.max(0, Math.floor(waitMs)) + 1;
    },
    stop() {
      bucket = undefined;
    },
  };
}

interface Bucket {
  /** Time at which it began to fill. */
  readonly sinceMs: number;
  /** Frames in it at that time, less those that have gone since: may be far below 0. */
  readonly frames: number;
}

export interface PacerOptions {
  /** Hz. */
  readonly sampleRate: number;
  /** As in {@link CatchUpOptions}. */
  readonly speed: number;
  readonly burstSeconds: number;
  /** Returns whether the source gives audio at its own time: only then does a backlog mean that something stood still. */
  readonly isLive: () => boolean;
  readonly clock: Clock;
  /** Called when more audio may go out. */
  readonly onTime: () => void;
}

/** Sends the audio of a live source as it comes, but a backlog at a bounded speed. */
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

  /** Returns whether a chunk may go out before which no audio waits: without any backlog there is no bound. */
  passes(frames: number): boolean {
    const { sampleRate, burstSeconds } = this.#options;
    return !this.#isCatchingUp && frames <= burstSeconds * sampleRate;
  }

  /** Returns how many of the waiting frames may go out now, and counts them as sent. */
  allow(waitingFrames: number, maxFrames: number): number {
    const { sampleRate, burstSeconds, isLive } = this.#options;
    // A backlog below a tenth of the burst is over; without that distance each block would begin a new burst.
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

  /** Forgets the backlog, as when its connection is gone. */
  stop(): void {
    this.#isCatchingUp = false;
    this.#catchUp.stop();
    this.#timer.stop();
  }

  #wait(): void {
    // A tenth of a second of audio at a time: a timer for each frame would cost too much.
    const delayMs = this.#catchUp.delayMs(this.#options.sampleRate / 10);
    this.#timer.start(Math.max(1, delayMs), this.#options.onTime);
  }
}
