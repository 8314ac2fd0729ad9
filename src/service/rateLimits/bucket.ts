import type { Clock } from '../../base/clock.ts';

/** A rate: an average per second, and a burst after an idle period. */
export interface Flow {
  readonly perSecond: number;
  /** At least 1. */
  readonly burst: number;
}

/** A token bucket, which fills over time up to the burst. */
export interface Bucket {
  /** Level at the time `atMs`. */
  readonly level: number;
  readonly atMs: number;
}

/** Returns the current level of a bucket; a missing one is full. */
export function levelOf(bucket: Bucket | undefined, { perSecond, burst }: Flow, nowMs: number): number {
  return bucket ? Math.min(burst, bucket.level + ((nowMs - bucket.atMs) / 1000) * perSecond) : burst;
}

/** Returns the milliseconds until a token can be taken; 0 when one can be taken now. */
export function waitFor(bucket: Bucket | undefined, flow: Flow, nowMs: number): number {
  const missing = 1 - levelOf(bucket, flow, nowMs);
  return missing <= 0 ? 0 : (missing / flow.perSecond) * 1000;
}

/** Returns the bucket after a token was taken. */
export function taken(bucket: Bucket | undefined, flow: Flow, nowMs: number): Bucket {
  return { level: levelOf(bucket, flow, nowMs) - 1, atMs: nowMs };
}

/** Maximum number of buckets; beyond it, the least recently used are dropped, which count as full. */
const MAX_BUCKETS = 10_000;

/** A bucket for each key, such as an account. */
export interface Rates {
  /** Takes a token, and resolves with 0; else with the milliseconds until one can be taken. */
  take(key: string, flow: Flow): Promise<number>;
}

/** Creates the buckets of a service of one process. */
export function createLocalRates(clock: Clock) {
  const buckets = new Map<string, Bucket>();
  const wait = (key: string, flow: Flow) => waitFor(buckets.get(key), flow, clock.now());
  return {
    /** Returns the milliseconds until a token can be taken, and takes none. */
    waitMs: wait,
    async take(key: string, flow: Flow): Promise<number> {
      const waitMs = wait(key, flow);
      if (waitMs > 0) return waitMs;
      const bucket = taken(buckets.get(key), flow, clock.now());
      // The order of the map is that of the last use.
      buckets.delete(key);
      buckets.set(key, bucket);
      if (buckets.size > MAX_BUCKETS) buckets.delete(buckets.keys().next().value!);
      return 0;
    },
  };
}
