import { InvalidArgumentError, positiveOptions } from '../../../base/errors.ts';

/** Speed at which the backlog of a live source is sent, so that a service is not flooded. */
export interface CatchUpOptions {
  /**
   * Seconds of audio a second; above 1, or the lag would never shrink. `Infinity`: no bound. Default 2, or no bound with
   * another service, which takes over with nothing to do.
   */
  readonly speed?: number;
  /** Seconds of audio that may be sent at once; above 0. Default 5. */
  readonly burstSeconds?: number;
}

/** Defaults of {@link CatchUpOptions}. */
export const CATCH_UP_DEFAULTS = { speed: 2, burstSeconds: 5 } as const;

/** Checks the options of a backlog, and fills in the defaults. @throws InvalidArgumentError */
export function catchUpSettings(options: CatchUpOptions = {}, hasOther = false): Required<CatchUpOptions> {
  const { speed, burstSeconds } = CATCH_UP_DEFAULTS;
  const defaults = { speed: hasOther ? Number.POSITIVE_INFINITY : speed, burstSeconds };
  const settings = positiveOptions(options, defaults, 'catchUp.');
  if (settings.speed > 1) return settings;
  throw new InvalidArgumentError(`Option 'catchUp.speed' must be above 1, not ${settings.speed}.`);
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

/**
 * Returns the limits of a bucket: in any `t` seconds at most `(burstSeconds + speed * t) * sampleRate` frames go, to within one.
 */
export function bucketLimits(
  { speed, burstSeconds }: Required<CatchUpOptions>,
  sampleRate: number,
): BucketLimits {
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
