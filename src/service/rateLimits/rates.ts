import type { Clock } from '../../base/clock.ts';
import { type Bucket, type Flow, taken, waitFor } from './bucket.ts';

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
