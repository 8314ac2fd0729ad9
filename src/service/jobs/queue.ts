import { type Kysely, sql } from 'kysely';
import { fromKysely, PgBoss } from 'pg-boss';
import type { Clock } from '../../base/clock.ts';
import type { Database } from '../store/serverDatabase.ts';
import type { Tables } from '../store/tables.ts';
import { startWorker, type Work, type Worker, type WorkerOptions } from './worker.ts';

/** A queue of work: the jobs of a lane, or notifications to deliver. */
export type QueueName = string;
export const DELIVERIES: QueueName = 'deliveries';

/** Where an entry stands among the others of its queue. */
export interface Place {
  /** A worker takes no more entries of a group that it has enough of in hand. */
  readonly group?: string;
  /** The largest comes first, then the oldest. A whole number. Default 0. */
  readonly priority?: number;
}

/** The queue of a service: ids of rows, and nothing else. At least once: work must do no harm twice. */
export interface Queue {
  /** Adds an entry as part of a transaction. */
  add(trx: Kysely<Tables>, name: QueueName, id: string, place?: Place): Promise<void>;
  /** Takes an entry away, whether it waits or not, as part of a transaction. */
  remove(trx: Kysely<Tables>, name: QueueName, id: string): Promise<void>;
  /** Begins to work on a queue. Once for each. */
  work(name: QueueName, options: Pick<WorkerOptions, 'concurrency' | 'groupConcurrency'>, work: Work): void;
  /** Ends what this process has in hand of an entry that was taken away, and waits for it. */
  drop(name: QueueName, id: string): Promise<void>;
  /** Has the worker look at once; after a transaction that added something. */
  wake(name: QueueName): void;
  /** Takes no more entries, tells those in hand to end, and waits for them. */
  close(): Promise<void>;
}

export interface QueueOptions extends Pick<Database, 'db' | 'exclusive' | 'queueDatabase'> {
  readonly names: readonly QueueName[];
  readonly clock: Clock;
  /** Something in the background failed; it is tried again. */
  readonly onError: (error: unknown) => void;
}

const SCHEMA = 'queue';
const DAY_SECONDS = 86_400;
/** An entry in hand whose process gave no sign for so long waits again. */
const HEARTBEAT_SECONDS = 30;
/** Between two looks at signs that others failed to give. */
const SUPERVISION_SECONDS = 10;

/** Work that rejects is done again, for as long as it takes. */
const SETTINGS = {
  retryLimit: 1_000_000,
  retryDelay: 1,
  retryBackoff: true,
  retryDelayMax: 60,
  retentionSeconds: 365 * DAY_SECONDS,
  expireInSeconds: DAY_SECONDS,
};

/** Opens the queue, and makes its tables when they are missing. */
export async function openQueue(options: QueueOptions): Promise<Queue> {
  const { db, names, exclusive, clock, onError } = options;
  const boss = await startBoss(options);
  if (exclusive) await takeUp(boss, db, names);
  const workers = new Map<QueueName, Worker>();
  return {
    async add(trx, name, id, { group, priority = 0 } = {}) {
      const place = { priority, ...(group !== undefined && { group: { id: group } }) };
      await boss.send(name, { id }, { db: fromKysely(trx), singletonKey: id, ...place });
    },
    async remove(trx, name, id) {
      const entries = await boss.findJobs(name, { key: id, db: fromKysely(trx) });
      const ids = entries.map(entry => entry.id);
      if (ids.length > 0) await boss.deleteJob(name, ids, { db: fromKysely(trx) });
    },
    work(name, limits, work) {
      const heartbeatSeconds = exclusive ? undefined : HEARTBEAT_SECONDS;
      workers.set(name, startWorker({ boss, name, heartbeatSeconds, clock, onError, ...limits }, work));
    },
    drop: async (name, id) => workers.get(name)?.drop(id),
    wake: name => workers.get(name)?.wake(),
    async close() {
      await Promise.all([...workers.values()].map(worker => worker.close()));
      await boss.stop({ graceful: false, close: true });
    },
  };
}

async function startBoss({ names, exclusive, queueDatabase, onError }: QueueOptions): Promise<PgBoss> {
  const boss = new PgBoss({
    ...queueDatabase,
    schema: SCHEMA,
    schedule: false,
    // What it supervises are the entries of other processes: that they give signs, and end.
    supervise: !exclusive,
    superviseIntervalSeconds: SUPERVISION_SECONDS,
    monitorIntervalSeconds: SUPERVISION_SECONDS,
    // Entries never wait for one another.
    flowIntervalSeconds: DAY_SECONDS,
  });
  boss.on('error', onError);
  try {
    await boss.start();
    for (const name of names) {
      await boss.createQueue(name);
      await boss.updateQueue(name, { ...SETTINGS, heartbeatSeconds: exclusive ? null : HEARTBEAT_SECONDS });
      // It looks a queue up at the first use; inside a transaction of the embedded database, which has one connection,
      // that would wait for ever.
      await boss.findJobs(name, { key: name });
    }
    return boss;
  } catch (error) {
    await boss.stop({ graceful: false, close: true });
    throw error;
  }
}

/** What a process that is gone had in hand waits again. Only when nobody else uses the database. */
async function takeUp(boss: PgBoss, db: Kysely<Tables>, names: readonly QueueName[]): Promise<void> {
  await db.transaction().execute(async trx => {
    for (const name of names) {
      const { rows } = await sql<{ id: string }>`
        select id from ${sql.table(`${SCHEMA}.job`)} where name = ${name} and state = 'active'`.execute(trx);
      if (rows.length === 0) continue;
      const ids = rows.map(row => row.id);
      await boss.cancel(name, ids, { db: fromKysely(trx) });
      await boss.resume(name, ids, { db: fromKysely(trx) });
    }
  });
}
