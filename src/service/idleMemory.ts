import { performance } from 'node:perf_hooks';
import type { Clock } from '../base/clock.ts';
import { returnMemory } from '../engines/native/returnMemory.ts';
import { every } from './every.ts';

const INTERVAL_MS = 3000;
/** Growth that is worth the standstill. */
const MIN_GROWTH_BYTES = 64 * 1024 * 1024;
/** Share of an interval in which the event loop worked; above, the growth is still in use. */
const MAX_UTILIZATION = 0.5;

export interface IdleMemoryOptions {
  readonly clock: Clock;
  /** Whether there is somebody who should not have to wait. */
  readonly isBusy: () => boolean;
  readonly onError: (error: unknown) => void;
}

/**
 * Has the process return memory when it has become idle, if it grew: after 200 streams at once some 150 MB would stay
 * free within the C library, or garbage. Returns the stop.
 */
export function returnIdleMemory({ clock, isBusy, onError }: IdleMemoryOptions): () => Promise<void> {
  let floorBytes = process.memoryUsage.rss();
  let last = performance.eventLoopUtilization();
  const look = async () => {
    const now = performance.eventLoopUtilization();
    const { utilization } = performance.eventLoopUtilization(now, last);
    last = now;
    if (isBusy() || utilization > MAX_UTILIZATION) return;
    if (process.memoryUsage.rss() - floorBytes < MIN_GROWTH_BYTES) return;
    await returnMemory();
    floorBytes = process.memoryUsage.rss();
  };
  return every(INTERVAL_MS, look, { clock, onError });
}
