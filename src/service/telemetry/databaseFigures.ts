import type { Clock } from '../../base/clock.ts';
import { withTimeout } from '../../base/wait/withTimeout.ts';

/** Milliseconds between two reads of the database, however often the metrics are collected. */
const INTERVAL_MS = 10_000;
/** Milliseconds after which metrics are collected without figures of the database. */
const TIMEOUT_MS = 3000;

/**
 * Returns a function that reads figures of the database at most once an interval, and returns the last ones in between.
 *
 * @throws RxscribeError `timeout`; errors of `read`
 */
export function databaseFigures<T>(clock: Clock, read: () => Promise<T>): () => Promise<T> {
  let known: { readonly figures: Promise<T>; readonly atMs: number } | undefined;
  return () => {
    if (!known || clock.now() - known.atMs >= INTERVAL_MS) known = { figures: read(), atMs: clock.now() };
    return withTimeout(known.figures, { clock, timeoutMs: TIMEOUT_MS });
  };
}
