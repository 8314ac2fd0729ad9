import { type Kysely, sql } from 'kysely';
import { fromKysely, getConstructionPlans, PgBoss } from 'pg-boss';
import type { Clock } from '../../base/clock.ts';
import type { Database } from '../store/serverDatabase.ts';
import type { Tables } from '../store/tables.ts';
import type { Origin } from '../telemetry/tracing.ts';
import { createQueueSignals, NO_SIGNALS } from './queueSignals.ts';
import type { Lanes } from './turns.ts';
import { startWorker, type Work, type Worker, type WorkerOptions } from './worker.ts';

/** A queue of work: the jobs of a lane, or notifications to deliver. */
export type QueueName = string;
export const DELIVERIES: QueueName = 'deliveries';

/** Returns the names of the queues of a service. */
export const queueNames = (lanes: Lanes): readonly QueueName[] => [
  ...lanes.map(({ name }) => name),
  DELIVERIES,
];

/** The position of an entry in its queue. */
export interface Place {
  /** A worker fetches no more entries of a group that has reached its concurrency. */
  readonly group?: string;
  /** An integer; larger comes first, then older. Default 0. */
  readonly priority?: number;
  /** The request that caused the entry. */
  readonly origin?: Origin;
}

/** A removed entry that a process was working on. */
export interface RemovedEntry {
  readonly name: QueueName;
  /** Id of its row. */
  readonly id: string;
}

export type WorkLimits = Pick<WorkerOptions, 'concurrency' | 'groupConcurrency' | 'closeGraceMs'>;

/**
 * The queue of a service. It contains only ids of rows and of the requests that caused them. Entries run at least once: work
 * must be idempotent.
 */
export type Queue = Awaited<ReturnType<typeof openQueue>>;

export interface QueueOptions extends Pick<Database, 'db' | 'exclusive' | 'queueDatabase'> {
  readonly names: readonly QueueName[];
  readonly clock: Clock;
  /** Called when background work failed, which is retried. */
  readonly onError: (error: unknown) => void;
}

const SCHEMA = 'queue';
/** The table of the entries. */
export const QUEUE_TABLE = `${SCHEMA}.job`;
const DAY_SECONDS = 86_400;
/** Seconds without a heartbeat after which a running entry is queued again. */
const HEARTBEAT_SECONDS = 30;
/** Seconds between two checks for missed heartbeats. */
const SUPERVISION_SECONDS = 10;

/** The tables of a dump, in the order of their references. */
export const QUEUE_TABLES = [`${SCHEMA}.queue`, QUEUE_TABLE];

/** Returns the SQL that creates the tables of a queue on a server, in a transaction that it leaves open. */
export const queueSchema = () => getConstructionPlans(SCHEMA).replace(/COMMIT;\s*$/, '');

/** Returns the statement that gives the entries of an embedded database heartbeats, as those on a server have. */
export const watchEntries = () => `update ${QUEUE_TABLE} set heartbeat_seconds = ${HEARTBEAT_SECONDS}`;

/** Work that rejects is retried without end. */
const SETTINGS = {
  retryLimit: 1_000_000,
  retryDelay: 1,
  retryBackoff: true,
  retryDelayMax: 60,
  retentionSeconds: 365 * DAY_SECONDS,
  expireInSeconds: DAY_SECONDS,
};

/** Opens the queue, and creates its tables when they are missing. */
export async function openQueue(options: QueueOptions) {
  const { db, names, exclusive, clock, onError } = options;
  const boss = await startBoss(options);
  if (exclusive) await requeueActive(boss, db, names);
  const workers = new Map<QueueName, Worker>();
  const signals = exclusive ? NO_SIGNALS : createQueueSignals(options, workers);
  return {
    /** Adds an entry within a transaction. */
    async add(trx: Kysely<Tables>, name: QueueName, id: string, place: Place = {}): Promise<void> {
      const { group, priority = 0, origin } = place;
      const options = { singletonKey: id, priority, group: group === undefined ? undefined : { id: group } };
      await boss.send(name, { id, ...origin }, { db: fromKysely(trx), ...options });
      await signals.send(trx, { name });
    },
    /** Removes the entries of rows within a transaction. Returns the running ones, to be dropped after the transaction. */
    async remove(trx: Kysely<Tables>, ids: readonly string[]): Promise<readonly RemovedEntry[]> {
      if (ids.length === 0) return [];
      // The methods of the library look for one entry at a time.
      const { rows } = await sql<RemovedEntry & { state: string }>`
        delete from ${sql.table(QUEUE_TABLE)} where name in (${sql.join(names)}) and singleton_key in (${sql.join(ids)})
        returning name, singleton_key as id, state`.execute(trx);
      return rows.filter(({ state }) => state === 'active');
    },
    /** Starts the worker of a queue. Call once for each. */
    work(name: QueueName, limits: WorkLimits, work: Work): void {
      const heartbeatSeconds = exclusive ? undefined : HEARTBEAT_SECONDS;
      workers.set(name, startWorker({ boss, name, heartbeatSeconds, clock, onError, ...limits }, work));
      signals.listen();
    },
    /** Aborts the work on a removed entry, and waits for its end in this process. */
    async drop(name: QueueName, id: string): Promise<void> {
      await signals.send(db, { name, dropped: id });
      await workers.get(name)?.drop(id);
    },
    /** Makes the worker of this process look for entries at once; call after a transaction that added some. */
    wake: (name: QueueName) => workers.get(name)?.wake(),
    /** Returns the entries of a queue that this process works on. */
    running: (name: QueueName) => workers.get(name)?.running() ?? 0,
    /** Stops the worker of a queue: its running entries are aborted, and queued again for other processes. */
    async stop(name: QueueName): Promise<void> {
      await workers.get(name)?.close();
      await signals.send(db, { name });
    },
    /** Stops fetching entries, aborts the running ones, and waits for their end. */
    async close(): Promise<void> {
      await Promise.all([signals.close(), ...[...workers.values()].map(worker => worker.close())]);
      await boss.stop({ graceful: false, close: true });
    },
  };
}

async function startBoss({ names, exclusive, queueDatabase, onError }: QueueOptions): Promise<PgBoss> {
  const boss = new PgBoss({
    ...queueDatabase,
    schema: SCHEMA,
    schedule: false,
    // Supervision watches the entries of other processes: their heartbeats and their end.
    supervise: !exclusive,
    superviseIntervalSeconds: SUPERVISION_SECONDS,
    monitorIntervalSeconds: SUPERVISION_SECONDS,
    // Entries never depend on one another.
    flowIntervalSeconds: DAY_SECONDS,
  });
  // pg-boss reports some errors as plain objects.
  boss.on('error', error => onError(error instanceof Error ? error : Object.assign(new Error(), error)));
  try {
    await boss.start();
    for (const name of names) {
      await boss.createQueue(name);
      await boss.updateQueue(name, { ...SETTINGS, heartbeatSeconds: exclusive ? null : HEARTBEAT_SECONDS });
      // The first use of a queue looks it up. Inside a transaction of the embedded database, which has one connection, that
      // would be a deadlock.
      await boss.findJobs(name, { key: name });
    }
    return boss;
  } catch (error) {
    await boss.stop({ graceful: false, close: true });
    throw error;
  }
}

/** Queues the running entries of a killed process again. Only for a database without other users. */
async function requeueActive(boss: PgBoss, db: Kysely<Tables>, names: readonly QueueName[]): Promise<void> {
  await db.transaction().execute(async trx => {
    for (const name of names) {
      const { rows } = await sql<{ id: string }>`
        select id from ${sql.table(QUEUE_TABLE)} where name = ${name} and state = 'active'`.execute(trx);
      if (rows.length === 0) continue;
      const ids = rows.map(row => row.id);
      await boss.cancel(name, ids, { db: fromKysely(trx) });
      await boss.resume(name, ids, { db: fromKysely(trx) });
    }
  });
}
