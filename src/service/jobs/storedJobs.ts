import { type Clock, delay } from '../../base/clock.ts';
import { every } from '../every.ts';
import type { OpenStore } from '../store/store.ts';
import { countInProgress } from './countInProgress.ts';
import { createDeliveryWork, DELIVERY_LIMITS, type DeliveriesOptions } from './deliveries.ts';
import { createEndJob, type EndJob } from './ending.ts';
import { findJob } from './findJob.ts';
import { createHumanJobs } from './humanJobs.ts';
import { resultKey } from './jobObjects.ts';
import type { Jobs } from './jobs.ts';
import { findLeftovers, removeOldLeftovers } from './leftovers.ts';
import { listJobs } from './listJobs.ts';
import type { DescribeJob } from './outbox.ts';
import { openQueue, type Queue } from './queue.ts';
import { removeJob } from './removeJob.ts';
import { createRunner } from './runner.ts';
import { createStreamedJobs } from './streamedJobs.ts';
import { submitJob } from './submit.ts';
import type { Tasks } from './task.ts';
import { openTurns, type Turns } from './turns.ts';
import { STORE_RETRY_MS } from './untilStored.ts';
import { deleteExpired, failOrphans, renewLeases } from './upkeep.ts';

/** Between two rounds of upkeep; no job is deleted later than this after its time. */
export const UPKEEP_INTERVAL_MS = 30_000;
/** Between two looks at all that was submitted. */
const LEFTOVERS_INTERVAL_MS = 3_600_000;

export interface StoredJobsOptions {
  /** The store, when it is open and has its accounts. */
  readonly opened: Promise<OpenStore>;
  readonly tasks: Tasks;
  readonly describe: DescribeJob;
  readonly deliveries: DeliveriesOptions;
  /** Jobs that run at the same time. */
  readonly concurrency: number;
  readonly clock: Clock;
  /** Something in the background failed. */
  readonly onError: (error: unknown) => void;
}

interface Opened {
  readonly store: OpenStore;
  readonly queue: Queue;
  readonly turns: Turns;
  readonly end: EndJob;
}

/** Jobs that are kept in a store until their time is over. */
export function createStoredJobs(options: StoredJobsOptions): Jobs {
  const { clock, onError } = options;
  const closing = new AbortController();
  const now = () => new Date(clock.wallTime());
  const opened = options.opened.then(store => openJobs(store, options, closing.signal));
  // Whoever needs it is told; that nobody does yet must not end the process.
  opened.catch(() => {});
  const database = async () => (await opened).store.db;
  const streamed = createStreamedJobs({ opened, clock, onError });
  const stopUpkeep = keepUp(opened, { ...options, running: streamed.running });
  return {
    submit: async submission => submitJob({ ...(await opened), clock }, submission),
    start: streamed.start,
    async find(accountId, id) {
      await streamed.written(id);
      return findJob(await database(), accountId, id, now());
    },
    list: async (accountId, filter) => listJobs(await database(), accountId, filter, now()),
    countInProgress: async (accountId, limit) => countInProgress(await database(), accountId, limit),
    result: async (id, name) => (await opened).store.objects.get(resultKey(id, name)),
    async remove(id) {
      const { store, queue } = await opened;
      await removeJob(store, queue, id);
    },
    human: createHumanJobs({ opened, clock }),
    async close() {
      closing.abort();
      await stopUpkeep();
      const closed = opened.then(
        ({ queue }) => queue.close().catch(onError),
        () => {},
      );
      await Promise.all([closed, streamed.close()]);
    },
  };
}

/** Opens the queue and begins to work. A database server that went away is waited for. */
async function openJobs(store: OpenStore, options: StoredJobsOptions, signal: AbortSignal): Promise<Opened> {
  for (;;) {
    try {
      return await tryToOpen(store, options);
    } catch (error) {
      if (store.exclusive) throw error;
      options.onError(error);
      await delay(STORE_RETRY_MS, { clock: options.clock, signal });
    }
  }
}

async function tryToOpen(store: OpenStore, options: StoredJobsOptions): Promise<Opened> {
  const { clock, onError } = options;
  const common = { store, clock, onError };
  const removeLeftovers = await findLeftovers(store, clock);
  const turns = await openTurns(store.db);
  const queue = await openQueue({ ...store, clock, onError });
  const end = createEndJob({ ...common, queue, describe: options.describe });
  await failOrphans(store, end, { now: new Date(clock.wallTime()), all: store.exclusive });
  const runner = createRunner({ ...common, tasks: options.tasks, end, turns });
  queue.work('jobs', { concurrency: options.concurrency }, runner);
  queue.work('deliveries', DELIVERY_LIMITS, createDeliveryWork({ ...common, ...options.deliveries }));
  removeLeftovers().catch(onError);
  return { store, queue, turns, end };
}

/** Looks after the jobs again and again, at once for the first time; returns the stop. */
function keepUp(
  opened: Promise<Opened>,
  options: Pick<StoredJobsOptions, 'clock' | 'onError'> & { readonly running: ReadonlySet<string> },
): () => Promise<void> {
  const { clock, running } = options;
  async function maintain({ store, end }: Opened): Promise<void> {
    const now = new Date(clock.wallTime());
    await renewLeases(store, [...running], now);
    await failOrphans(store, end, { now, all: false });
    await deleteExpired(store, now);
  }
  // When the store did not open there is nothing to maintain, and whoever opened it knows.
  const maintainOpen = () => opened.then(maintain, () => {});
  const first = maintainOpen().catch(options.onError);
  const stop = every(UPKEEP_INTERVAL_MS, maintainOpen, options);
  const clear = () =>
    opened.then(
      ({ store }) => removeOldLeftovers(store, clock),
      () => {},
    );
  const stopClearing = every(LEFTOVERS_INTERVAL_MS, clear, options);
  return async () => {
    await first;
    await Promise.all([stop(), stopClearing()]);
  };
}
