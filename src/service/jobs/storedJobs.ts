import type { Clock } from '../../base/clock.ts';
import type { OpenStore } from '../store/store.ts';
import { repeated } from '../store/untilReachable.ts';
import { type Instruments, noInstruments } from '../telemetry/createInstruments.ts';
import { createAccountRemoval } from './accountRemoval.ts';
import {
  createDeliveryWork,
  DELIVERY_LIMITS,
  type DeliveriesOptions,
  type DescribeJob,
} from './deliveries.ts';
import { createEndJob, createJobEnds, type EndingOptions } from './ending.ts';
import { createHumanJobs } from './humanJobs.ts';
import { type JobLog, noJobLog, type WorkContext } from './jobLog.ts';
import { countInProgress, countJobs, findJob, listJobs } from './jobQueries.ts';
import { readResult } from './jobResults.ts';
import type { Jobs } from './jobs.ts';
import { startMaintenance } from './maintenance.ts';
import type { OpenJobs } from './openJobs.ts';
import { failLeftJobs } from './orphans.ts';
import { DELIVERIES, openQueue, queueNames } from './queue.ts';
import { observeQueues } from './queueFigures.ts';
import { removeJob } from './retention.ts';
import { createRunner } from './runner.ts';
import { createStreamedJobs } from './streamedJobs.ts';
import { submitJob } from './submit.ts';
import type { Tasks } from './task.ts';
import { type Lanes, openTurns } from './turns.ts';

export interface StoredJobsOptions {
  /** Resolves with the store when its accounts are ready. */
  readonly opened: Promise<OpenStore>;
  readonly tasks: Tasks;
  readonly describe: DescribeJob;
  readonly deliveries: DeliveriesOptions;
  readonly lanes: Lanes;
  /** False to leave queued jobs and notifications to other processes. Default true. */
  readonly worksOnQueue?: boolean;
  readonly clock: Clock;
  /** Called when background work failed, with the fields for the log if the work belongs to a job. */
  readonly onError: (error: unknown, about?: Readonly<Record<string, string>>) => void;
  /** Default: none. */
  readonly log?: JobLog;
  /** Default: no metrics. */
  readonly instruments?: Instruments;
}

/** Creates the jobs of a store. */
export function createStoredJobs(options: StoredJobsOptions): Jobs {
  const { clock, instruments = noInstruments } = options;
  const onError = (error: unknown) => options.onError(error);
  const closing = new AbortController();
  const now = () => new Date(clock.wallTime());
  const ends = createJobEnds(clock);
  const opening = { ...options, onEnd: ends.report };
  const opened = options.opened.then(store => openJobs(store, opening, closing.signal));
  let open: OpenJobs | undefined;
  opened.then(
    jobs => {
      open = jobs;
    },
    // An unhandled rejection would end the process.
    () => {},
  );
  const database = async () => (await opened).store.db;
  const streamed = createStreamedJobs({ opened, clock, onError });
  const stopFigures = observeQueues({ opened, own: () => open, clock, instruments });
  const removal = createAccountRemoval({ opened, clock, signal: closing.signal });
  const { running } = streamed;
  const stopMaintenance = startMaintenance({ opened, clock, onError, running, removeClosed: removal.resume });
  return {
    submit: async submission => submitJob(await opened, submission, clock),
    start: streamed.start,
    async find(accountId, id) {
      await streamed.written(id);
      return findJob(await database(), accountId, id, now());
    },
    ended: (accountId, id, signal) =>
      ends.wait(id, async () => findJob(await database(), accountId, id, now()), signal),
    list: async (accountId, filter) => listJobs(await database(), accountId, filter, now()),
    countInProgress: async (accountId, limit) => countInProgress(await database(), accountId, limit),
    result: async (id, name) => readResult((await opened).store, id, name),
    async remove(id) {
      const { store, queue } = await opened;
      await removeJob(store, queue, id, now());
    },
    removeAll: removal.remove,
    count: async accountId => countJobs(await database(), accountId),
    human: createHumanJobs({ opened, clock, onError }),
    async giveBack() {
      // Before the store is open, there are no jobs.
      if (!open) return;
      const { queue, lanes } = open;
      await Promise.all(lanes.map(({ name }) => queue.stop(name)));
      ends.stop();
    },
    async close() {
      closing.abort();
      stopFigures();
      const closed = opened.then(
        ({ queue }) => queue.close().catch(onError),
        () => {},
      );
      await Promise.all([stopMaintenance(), closed, streamed.close()]);
    },
  };
}

type OpeningOptions = StoredJobsOptions & Pick<EndingOptions, 'onEnd'>;

/** Opens the queue and starts the workers. Retries while a database server is unreachable. */
function openJobs(store: OpenStore, options: OpeningOptions, signal: AbortSignal): Promise<OpenJobs> {
  return repeated(
    () => tryToOpen(store, options),
    { clock: options.clock, signal },
    error => {
      if (store.exclusive) throw error;
      options.onError(error);
    },
  );
}

async function tryToOpen(store: OpenStore, options: OpeningOptions): Promise<OpenJobs> {
  const { lanes, clock, instruments = noInstruments, log = noJobLog, worksOnQueue = true } = options;
  const onError = (error: unknown) => options.onError(error);
  const common: WorkContext = { store, clock, onError: options.onError, instruments, log };
  const turns = openTurns(store.db, lanes);
  const queue = await openQueue({ ...store, names: queueNames(lanes), clock, onError });
  try {
    const { describe, onEnd } = options;
    const end = createEndJob({ ...common, queue, describe, onEnd });
    if (store.exclusive) await failLeftJobs({ store, end }, new Date(clock.wallTime()));
    if (worksOnQueue) {
      const runner = createRunner({ ...common, tasks: options.tasks, end, turns });
      for (const { name, concurrency } of lanes) queue.work(name, { concurrency }, runner);
      queue.work(DELIVERIES, DELIVERY_LIMITS, createDeliveryWork({ ...common, ...options.deliveries }));
    }
    return { store, queue, turns, lanes, end };
  } catch (error) {
    // No caller has the queue yet.
    await queue.close().catch(onError);
    throw error;
  }
}
