import type { Kysely } from 'kysely';
import { fromKysely, type Job, PgBoss, type Queue as QueueSettings, type WorkOptions } from 'pg-boss';
import type { Clock } from '../../base/clock.ts';
import type { QueueDatabase } from '../store/database.ts';
import type { Tables } from '../store/tables.ts';

/** What waits to be done: jobs to run, notifications to deliver. */
export type QueueName = 'jobs' | 'deliveries';

/** One entry: the id of a row. */
export interface Entry {
  readonly id: string;
}

/** A worker: an entry is done when this resolves, and tried again when it rejects. */
export type Work = (id: string, signal: AbortSignal) => Promise<void>;

/** The queue of a service. At least once: work must do no harm twice. */
export interface Queue {
  /** Adds an entry as part of a transaction. */
  add(trx: Kysely<Tables>, name: QueueName, id: string, group?: string): Promise<void>;
  /** Takes entries away, whether they wait or not, as part of a transaction. */
  remove(trx: Kysely<Tables>, name: QueueName, id: string): Promise<void>;
  /** Begins to work on a queue. */
  work(name: QueueName, options: WorkOptions, work: Work): Promise<void>;
  /** Has the workers look at once; after a transaction that added something. */
  wake(name: QueueName): void;
  /** Takes no more entries, and waits for those in hand. */
  close(): Promise<void>;
}

export interface QueueOptions {
  readonly database: QueueDatabase;
  readonly clock: Clock;
  readonly onError: (error: unknown) => void;
  readonly settings: Readonly<Record<QueueName, Omit<QueueSettings, 'name'>>>;
}

/** Opens the queue, and makes its tables when they are missing. */
export async function openQueue({ database, onError, settings }: QueueOptions): Promise<Queue> {
  const boss = new PgBoss({ ...database, schema: 'queue', schedule: false });
  boss.on('error', onError);
  await boss.start();
  for (const [name, options] of Object.entries(settings)) {
    await boss.createQueue(name, options);
    // It looks a queue up at the first use; inside a transaction of the embedded database, which has one connection,
    // that would wait for ever.
    await boss.findJobs(name, { key: name });
  }
  const workers = new Map<QueueName, string[]>();
  const wake = (name: QueueName) => {
    for (const id of workers.get(name) ?? []) boss.notifyWorker(id);
  };
  return {
    async add(trx, name, id, group) {
      const options = { db: fromKysely(trx), singletonKey: id, ...(group && { group: { id: group } }) };
      await boss.send(name, { id }, options);
    },
    async remove(trx, name, id) {
      const db = fromKysely(trx);
      const entries = await boss.findJobs(name, { key: id, db });
      const ids = entries.map(entry => entry.id);
      if (ids.length > 0) await boss.deleteJob(name, ids, { db });
    },
    async work(name, options, work) {
      const worker = await boss.work(name, options, async (entries: Job<Entry>[]) => {
        try {
          for (const { data, signal } of entries) await work(data.id, signal);
        } finally {
          wake(name);
        }
      });
      workers.set(name, [...(workers.get(name) ?? []), worker]);
    },
    wake,
    close: () => boss.stop({ graceful: true, close: true }),
  };
}
