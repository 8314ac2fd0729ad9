import { type Clock, systemClock } from '../../../base/clock.ts';
import { InvalidArgumentError } from '../../../base/errors.ts';

/** Defaults of {@link CatchUpOptions}. */
export const CATCH_UP_DEFAULTS = { speed: 2, burstSeconds: 5 } as const;

export interface CatchUpOptions {
  /** Hz. */
  readonly sampleRate: number;
  /** Seconds of audio a second; above 1, or the lag would never shrink. `Infinity`: no bound. */
  readonly speed?: number;
  /** Audio that may go at once; above 0. */
  readonly burstSeconds?: number;
  readonly clock?: Clock;
}

/** How fast a backlog may be sent, so that a service is not flooded. Without a backlog there is no bound. */
export interface CatchUp {
  /** A backlog begins: a whole burst may go. Anew, when one has begun already. */
  start(): void;
  /** How many of so many frames may go now; they count as sent. */
  allow(frames: number): number;
  /** Milliseconds until so many frames may go, or a whole burst if that is less; 0 when they may go now. Default 1. */
  delayMs(frames?: number): number;
  /** The backlog is gone. */
  stop(): void;
}

/**
 * A token bucket over integer frames: in any `t` seconds at most `(burstSeconds + speed * t) * sampleRate` frames go, to
 * within one.
 *
 * @throws InvalidArgumentError for a speed or a burst that cannot be
 * @example
 * const catchUp = createCatchUp({ sampleRate: 16_000 });
 * catchUp.start();
 * catchUp.allow(100_000); // 80000
 * catchUp.delayMs(1600); // about 50
 */
export function createCatchUp(options: CatchUpOptions): CatchUp {
  const { speed = CATCH_UP_DEFAULTS.speed, burstSeconds = CATCH_UP_DEFAULTS.burstSeconds } = options;
  const { sampleRate, clock = systemClock } = options;
  if (!(speed > 1)) throw new InvalidArgumentError(`catch up: wanted a speed above 1, found ${speed}`);
  if (!(burstSeconds > 0)) {
    throw new InvalidArgumentError(`catch up: wanted a burst of more than 0 s, found ${burstSeconds} s`);
  }
  const size = Math.max(1, Math.floor(burstSeconds * sampleRate));
  const framesPerMs = (speed * sampleRate) / 1000;
  const isBounded = framesPerMs < Number.POSITIVE_INFINITY;
  let bucket: Bucket | undefined;

  /** Frames that may go now, if there is a bound. */
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
      // A full bucket takes nothing in: its time begins now. Else its beginning stays, so that no part of a frame is lost.
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
      // One more than whole: a fraction that was rounded must not leave the last frame missing.
      return Math.max(0, Math.floor(waitMs)) + 1;
    },
    stop() {
      bucket = undefined;
    },
  };
}

interface Bucket {
  /** Since when it fills. */
  readonly sinceMs: number;
  /** What was in it then, less what has gone since: may be far below 0. */
  readonly frames: number;
}
