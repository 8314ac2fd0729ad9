import { performance } from 'node:perf_hooks';
import type { Clock } from '../../base/clock.ts';
import { every } from '../../base/wait/every.ts';
import { returnMemory } from '../../engines/native/returnMemory.ts';

const INTERVAL_MS = 3000;
/** Minimum milliseconds between two returns: each one blocks the process, running jobs included. */
const PAUSE_MS = 60_000;
/** Growth in bytes that is worth the block. */
const MIN_GROWTH_BYTES = 64 * 1024 * 1024;
/** Share of an interval in which the event loop was busy; above it, the memory is still in use. */
const MAX_UTILIZATION = 0.5;

export interface IdleMemoryOptions {
  readonly clock: Clock;
  /** True while blocking the process would be noticed. */
  readonly isBusy: () => boolean;
  readonly onError: (error: unknown) => void;
}

/**
 * Returns memory to the system when the process is idle and has grown, at most once a minute: after 200 concurrent
 * streams some 150 MB would stay free within the C library, or garbage.
 *
 * @returns a function that ends it
 */
export function returnIdleMemory({ clock, isBusy, onError }: IdleMemoryOptions): () => Promise<void> {
  let floorBytes = process.memoryUsage.rss();
  let returnedMs = Number.NEGATIVE_INFINITY;
  let last = performance.eventLoopUtilization();
  const check = async () => {
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
  return every(INTERVAL_MS, check, { clock, onError });
}
