import type { Clock } from '../../base/clock.ts';

/** How much may flow: after a pause a burst at once, in the long run so much a second. */
export interface Flow {
  readonly perSecond: number;
  /** At least 1. */
  readonly burst: number;
}

/** A bucket that fills as time goes by, up to the burst. */
export interface Bucket {
  /** What was in it at a time. */
  readonly level: number;
  readonly atMs: number;
}

/** What is in a bucket now; one that is not there yet is full. */
export function levelOf(bucket: Bucket | undefined, { perSecond, burst }: Flow, nowMs: number): number {
  if (!bucket) return burst;
  return Math.min(burst, bucket.level + ((nowMs - bucket.atMs) / 1000) * perSecond);
}

/** Milliseconds until one can be taken; 0 when it can be now. */
export function waitFor(bucket: Bucket | undefined, flow: Flow, nowMs: number): number {
  const missing = 1 - levelOf(bucket, flow, nowMs);
  return missing <= 0 ? 0 : (missing / flow.perSecond) * 1000;
}

/** The bucket when one was taken. */
export function taken(bucket: Bucket | undefined, flow: Flow, nowMs: number): Bucket {
  return { level: levelOf(bucket, flow, nowMs) - 1, atMs: nowMs };
}

/** Buckets that are kept; of more, those that were used longest ago are forgotten, and count as full. */
const MAX_BUCKETS = 10_000;

/** One bucket a key, such as an account. */
export interface Rates {
  /** Milliseconds until one more can be taken; 0 when it can be now. */
  waitMs(key: string, flow: Flow): number;
  /** Takes one, whether it is there or not: what was taken too early is waited for later. */
  take(key: string, flow: Flow): void;
}

export function createRates(clock: Clock): Rates {
  const buckets = new Map<string, Bucket>();
  return {
    waitMs: (key, flow) => waitFor(buckets.get(key), flow, clock.now()),
    take(key, flow) {
      const bucket = taken(buckets.get(key), flow, clock.now());
      // Last in the order of the map is what was used last.
      buckets.delete(key);
      buckets.set(key, bucket);
      if (buckets.size > MAX_BUCKETS) buckets.delete(buckets.keys().next().value!);
    },
  };
}
