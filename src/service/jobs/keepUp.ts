import type { Clock } from '../../base/clock.ts';
import { every } from '../../base/wait/every.ts';
import type { OpenStore } from '../store/store.ts';
import type { EndJob } from './ending.ts';
import { removeOldLeftovers } from './leftovers.ts';
import { forgetRemoved } from './removedJobs.ts';
import { deleteExpired, failOrphans, renewLeases } from './upkeep.ts';

/** Between two rounds of upkeep; no job is deleted later than this after its time. */
export const UPKEEP_INTERVAL_MS = 30_000;
/** Between two times that the places of deleted jobs are forgotten. */
const FORGET_INTERVAL_MS = 3_600_000;
/** Between two looks at all that was submitted. */
const LEFTOVERS_INTERVAL_MS = 3_600_000;

export interface KeepUpOptions {
  readonly opened: Promise<{ readonly store: OpenStore; readonly end: EndJob }>;
  /** Ids of the jobs that this process runs itself. */
  readonly running: ReadonlySet<string>;
  readonly clock: Clock;
  readonly onError: (error: unknown) => void;
}

/** Looks after jobs again and again; returns the stop. */
export function keepUp({ opened, running, clock, onError }: KeepUpOptions): () => Promise<void> {
  const stopping = new AbortController();
  const now = () => new Date(clock.wallTime());
  const rounds: readonly [number, (open: Awaited<typeof opened>) => Promise<void>][] = [
    [
      UPKEEP_INTERVAL_MS,
      async ({ store, end }) => {
        await renewLeases(store, [...running], now());
        await failOrphans(store, end, { now: now(), all: false });
      },
    ],
    // Apart, for it may take long after a downtime.
    [UPKEEP_INTERVAL_MS, ({ store }) => deleteExpired(store, now(), stopping.signal)],
    [LEFTOVERS_INTERVAL_MS, ({ store }) => removeOldLeftovers(store, clock)],
    [FORGET_INTERVAL_MS, ({ store }) => forgetRemoved(store.db, now())],
  ];
  const stops = rounds.map(([intervalMs, round]) =>
    // When the store did not open there is nothing to look after, and whoever opened it knows.
    atOnceAndEvery(intervalMs, () => opened.then(round, () => {}), { clock, onError }),
  );
  return async () => {
    stopping.abort();
    await Promise.all(stops.map(stop => stop()));
  };
}

/** As `every`, but the first time at once. */
function atOnceAndEvery(...[intervalMs, task, options]: Parameters<typeof every>): () => Promise<void> {
  let stop = async () => {};
  let isStopped = false;
  const first = task()
    .catch(options.onError)
    .then(() => {
      if (!isStopped) stop = every(intervalMs, task, options);
    });
  return async () => {
    isStopped = true;
    await first;
    await stop();
  };
}
