import { type Clock, delay } from '../../base/clock.ts';
import type { OpenStore } from '../store/store.ts';
import {
  createDeliveryWork,
  DELIVERY_LIMITS,
  type DeliveriesOptions,
  type DescribeJob,
} from './deliveries.ts';
import { createEndJob, type EndJob } from './ending.ts';
import { createHumanJobs } from './humanJobs.ts';
import { resultKey } from './jobObjects.ts';
import { countInProgress, findJob, listJobs } from './jobQueries.ts';
import type { Jobs } from './jobs.ts';
import { findLeftovers } from './leftovers.ts';
import { failOrphans, startMaintenance } from './maintenance.ts';
import { DELIVERIES, openQueue, type Queue } from './queue.ts';
import { removeAllJobs, removeJob } from './retention.ts';
import { createRunner } from './runner.ts';
import { STORE_RETRY_MS } from './storeRetry.ts';
import { createStreamedJobs } from './streamedJobs.ts';
import { submitJob } from './submit.ts';
import type { Tasks } from './task.ts';
import { type Lanes, openTurns, type Turns } from './turns.ts';

export interface StoredJobsOptions {
  /** Resolves with the store when its accounts are ready. */
  readonly opened: Promise<OpenStore>;
  readonly tasks: Tasks;
  readonly describe: DescribeJob;
  readonly deliveries: DeliveriesOptions;
  readonly lanes: Lanes;
  readonly clock: Clock;
  /** Called when background work failed. */
  readonly onError: (error: unknown) => void;
}

interface Opened {
  readonly store: OpenStore;
  readonly queue: Queue;
  readonly turns: Turns;
  readonly lanes: Lanes;
  readonly end: EndJob;
}

/** Creates the jobs of a store. */
export function createStoredJobs(options: StoredJobsOptions): Jobs {
  const { clock, onError } = options;
  const closing = new AbortController();
  const now = () => new Date(clock.wallTime());
  const opened = options.opened.then(store => openJobs(store, options, closing.signal));
  // A rejection that nobody waits for must not end the process.
  opened.catch(() => {});
  const database = async () => (await opened).store.db;
  const streamed = createStreamedJobs({ opened, clock, onError });
  const stopMaintenance = startMaintenance({ opened, clock, onError, running: streamed.running });
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
      await removeJob(store, queue, id, now());
    },
    removeAll: async accountId => removeAllJobs({ ...(await opened), clock }, accountId),
    human: createHumanJobs({ opened, clock }),
    async close() {
      closing.abort();
      const closed = opened.then(
        ({ queue }) => queue.close().catch(onError),
        () => {},
      );
      await Promise.all([stopMaintenance(), closed, streamed.close()]);
    },
  };
}

/** Opens the queue and starts the workers. Retries while a database server is unreachable. */
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
  const { lanes, clock, onError } = options;
  const common = { store, clock, onError };
  const removeLeftovers = await findLeftovers(store, clock);
  const turns = await openTurns(store.db, lanes);
  const queue = await openQueue({
    ...store,
    names: [...lanes.map(({ name }) => name), DELIVERIES],
    clock,
    onError,
  });
  try {
    const end = createEndJob({ ...common, queue, describe: options.describe });
    await failOrphans(store, end, { now: new Date(clock.wallTime()), all: store.exclusive });
    const runner = createRunner({ ...common, tasks: options.tasks, end, turns });
    for (const { name, concurrency } of lanes) queue.work(name, { concurrency }, runner);
    queue.work(DELIVERIES, DELIVERY_LIMITS, createDeliveryWork({ ...common, ...options.deliveries }));
    removeLeftovers().catch(onError);
    return { store, queue, turns, lanes, end };
  } catch (error) {
    // The next attempt opens another queue.
    await queue.close().catch(onError);
    throw error;
  }
}
