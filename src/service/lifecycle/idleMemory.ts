import { performance } from 'node:perf_hooks';
import type { Clock } from '../../base/clock.ts';
import { every } from '../../base/wait/every.ts';
import { returnMemory } from '../../engines/native/returnMemory.ts';

const INTERVAL_MS = 3000;
/** The least time between two returns: in each the process stands still, with the jobs that run. */
const PAUSE_MS = 60_000;
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
 * free within the C library, or garbage. At most once a minute. Returns the stop.
 */
export function returnIdleMemory({ clock, isBusy, onError }: IdleMemoryOptions): () => Promise<void> {
  let floorBytes = process.memoryUsage.rss();
  let returnedMs = Number.NEGATIVE_INFINITY;
  let last = performance.eventLoopUtilization();
  const look = async () => {
    const now = performance.eventLoopUtilization();
    const { utilization } = performance.eventLoopUtilization(now, last);
    last = now;
    if (clock.now() - returnedMs < PAUSE_MS) return;
    if (isBusy() || utilization > MAX_UTILIZATION) return;
    if (process.memoryUsage.rss() - floorBytes < MIN_GROWTH_BYTES) return;
    await returnMemory();
    returnedMs = clock.now();
    floorBytes = process.memoryUsage.rss();
  };
  return every(INTERVAL_MS, look, { clock, onError });
}
