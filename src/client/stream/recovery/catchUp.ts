import { type Clock, systemClock } from '../../../base/clock.ts';
import { InvalidArgumentError } from '../../../base/errors.ts';

/** Defaults of {@link CatchUpOptions}. */
export const CATCH_UP_DEFAULTS = { speed: 2, burstSeconds: 5 } as const;

export interface CatchUpOptions {
  /** Hz. */
  readonly sampleRate: number;
  /** Seconds of audio a second; above 1, or the lag would never shrink. `Infinity`: no bound. Default 2. */
  readonly speed?: number;
  /** Seconds of audio that may be sent at once; above 0. Default 5. */
  readonly burstSeconds?: number;
  readonly clock?: Clock;
}

/** A bound on the speed at which a backlog is sent, so that a service is not flooded. Without a backlog there is no bound. */
export interface CatchUp {
  /** Begins a backlog, also during another one: a whole burst may be sent at once. */
  start(): void;
  /** Returns how many of the given frames may be sent now, and counts them as sent. */
  allow(frames: number): number;
  /** Returns the milliseconds until the given frames (default 1, at most a burst) may be sent; 0 when they may be now. */
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
  const limits = bucketLimits({ speed, burstSeconds, sampleRate });
  let bucket: Bucket | undefined;
  return {
    start() {
      if (limits.framesPerMs < Number.POSITIVE_INFINITY) bucket = fullBucket(limits, clock.now());
    },
    allow(frames) {
      if (!bucket) return frames;
      const nowMs = clock.now();
      const allowed = Math.min(frames, availableFrames(bucket, limits, nowMs));
      bucket = withoutFrames(bucket, allowed, limits, nowMs);
      return allowed;
    },
    delayMs: (frames = 1) => (bucket ? bucketDelayMs(bucket, frames, limits, clock.now()) : 0),
    stop() {
      bucket = undefined;
    },
  };
}

/** A token bucket of frames. */
export interface Bucket {
  /** Time at which it began to fill. */
  readonly sinceMs: number;
  /** Frames in it at that time, less those that have gone since: may be far below 0. */
  readonly frames: number;
}

export interface BucketLimits {
  /** Frames of a full bucket. */
  readonly size: number;
  readonly framesPerMs: number;
}

export function bucketLimits({
  speed,
  burstSeconds,
  sampleRate,
}: Required<Pick<CatchUpOptions, 'speed' | 'burstSeconds' | 'sampleRate'>>): BucketLimits {
  const size = Math.max(1, Math.floor(burstSeconds * sampleRate));
  return { size, framesPerMs: (speed * sampleRate) / 1000 };
}

export function fullBucket({ size }: BucketLimits, nowMs: number): Bucket {
  return { sinceMs: nowMs, frames: size };
}

/** Returns a bucket without some frames, as many as are in it at most. */
export function withoutFrames(bucket: Bucket, frames: number, limits: BucketLimits, nowMs: number): Bucket {
  const isFull = availableFrames(bucket, limits, nowMs) === limits.size;
  // The time of a full bucket begins now, since it cannot fill further. Otherwise its beginning stays, so that no part of a
  // frame is lost.
  const from = isFull ? fullBucket(limits, nowMs) : bucket;
  return { ...from, frames: from.frames - frames };
}

/** Returns the milliseconds until frames, a full bucket at most, are in a bucket; 0 when they are now. */
export function bucketDelayMs(bucket: Bucket, frames: number, limits: BucketLimits, nowMs: number): number {
  const wanted = Math.min(frames, limits.size);
  if (availableFrames(bucket, limits, nowMs) >= wanted) return 0;
  const waitMs = bucket.sinceMs + (wanted - bucket.frames) / limits.framesPerMs - nowMs;
  // Rounded up: a fraction must not leave the last frame missing.
  return Math.max(0, Math.floor(waitMs)) + 1;
}

/** Returns the frames that are in a bucket now. */
export function availableFrames(
  { sinceMs, frames }: Bucket,
  { size, framesPerMs }: BucketLimits,
  nowMs: number,
): number {
  return Math.min(size, frames + Math.floor((nowMs - sinceMs) * framesPerMs));
}
