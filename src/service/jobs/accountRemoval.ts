import type { Kysely } from 'kysely';
import type { Clock } from '../../base/clock.ts';
import { RxscribeError } from '../../base/errors.ts';
import { settledWithin } from '../../base/wait/withTimeout.ts';
import type { OpenStore } from '../store/store.ts';
import type { Tables } from '../store/tables.ts';
import { removeObjects } from './jobObjects.ts';
import type { JobsContext, OpenJobs } from './openJobs.ts';
import type { RemovedEntry } from './queue.ts';

/** Rows per statement: other requests wait for it where the database is embedded. */
const BATCH = 200;
/** Milliseconds for running jobs to end when they are aborted. */
const DROP_TIMEOUT_MS = 10_000;
/** Milliseconds without a step after which the process that removed an account counts as gone. */
const ABANDONED_MS = 60_000;

interface Stopping {
  readonly clock: Clock;
  /** Stops between two batches. */
  readonly signal: AbortSignal;
}

/** Creates the deletion of accounts with all their data, in batches: an interrupted deletion keeps those that are done. */
export function createAccountRemoval({
  opened,
  ...stopping
}: Omit<JobsContext<'store' | 'queue'>, 'onError'> & Stopping) {
  const { clock, signal } = stopping;
  const underWay = new Map<string, Promise<void>>();
  /**
   * Aborts the jobs of an account, then deletes them; last the account, if it is closed. Concurrent calls share the work.
   *
   * @throws RxscribeError `store` when the service stops first
   */
  function remove(accountId: string): Promise<void> {
    const remaining = async () => removeAccount({ ...(await opened), ...stopping }, accountId);
    const removal = underWay.get(accountId) ?? remaining().finally(() => underWay.delete(accountId));
    underWay.set(accountId, removal);
    return removal;
  }
  return {
    remove,
    /** Continues the deletion of closed accounts that no process works on. */
    async resume() {
      const { db, exclusive } = (await opened).store;
      const lastStep = new Date(clock.wallTime() - (exclusive ? 0 : ABANDONED_MS));
      const closed = await db
        .selectFrom('accounts')
        .select('id')
        .where('removedOn', '<=', lastStep)
        .execute();
      const failures: unknown[] = [];
      for (const { id } of closed) {
        if (signal.aborted) return;
        await remove(id).catch(error => failures.push(error));
      }
      // A failed deletion does not stop the others.
      if (failures.length > 0 && !signal.aborted) throw failures[0];
    },
  };
}

async function removeAccount(
  { store, queue, clock, signal }: Pick<OpenJobs, 'store' | 'queue'> & Stopping,
  accountId: string,
): Promise<void> {
  const { db } = store;
  /** Repeats a step until it finds no rows. */
  const inBatches = async (step: () => Promise<readonly string[]>) => {
    do {
      if (signal.aborted) throw new RxscribeError('store', 'Cannot delete the account: the service stops.');
      await noteStep(db, accountId, new Date(clock.wallTime()));
    } while ((await step()).length > 0);
  };
  const takeFromQueue = (take: (trx: Kysely<Tables>) => Promise<readonly string[]>) =>
    db.transaction().execute(async trx => {
      const ids = await take(trx);
      return { ids, running: await queue.remove(trx, ids) };
    });

  await inBatches(async () => (await takeFromQueue(trx => removeSome(trx, 'deliveries', accountId))).ids);
  const running: RemovedEntry[] = [];
  await inBatches(async () => {
    const now = new Date(clock.wallTime());
    const taken = await takeFromQueue(trx => failSome(trx, accountId, now));
    running.push(...taken.running);
    return taken.ids;
  });
  const ends = running.map(({ name, id }) => queue.drop(name, id));
  await settledWithin(DROP_TIMEOUT_MS, Promise.all(ends), clock);
  await inBatches(() => removeSomeJobs(store, accountId));
  await inBatches(() => removeSome(db, 'removedJobs', accountId));
  await inBatches(() => removeSome(db, 'meters', accountId));
  await db.deleteFrom('accounts').where('id', '=', accountId).where('removedOn', 'is not', null).execute();
}

/** Notes that a closed account is being removed. */
async function noteStep(db: Kysely<Tables>, accountId: string, removedOn: Date): Promise<void> {
  const account = db.updateTable('accounts').set({ removedOn }).where('id', '=', accountId);
  await account.where('removedOn', 'is not', null).execute();
}

/** Fails some jobs in progress, so that they no longer start, end or wait for a person. */
async function failSome(trx: Kysely<Tables>, accountId: string, now: Date): Promise<readonly string[]> {
  const some = trx.selectFrom('jobs').select('id').where('accountId', '=', accountId);
  const failed = await trx
    .updateTable('jobs')
    .set({ status: 'failed', stage: null, leaseUntil: null, claimedBy: null, completedOn: now })
    .where('id', 'in', some.where('status', '=', 'in_progress').limit(BATCH))
    .returning('id')
    .execute();
  return failed.map(({ id }) => id);
}

async function removeSome(
  db: Kysely<Tables>,
  table: 'deliveries' | 'removedJobs' | 'meters',
  accountId: string,
): Promise<readonly string[]> {
  const some = db.selectFrom(table).select('id').where('accountId', '=', accountId).limit(BATCH);
  const removed = await db.deleteFrom(table).where('id', 'in', some).returning('id').execute();
  return removed.map(({ id }) => id);
}

/** Deletes some jobs: files first, so that an interrupted deletion is completed by the next one. */
async function removeSomeJobs(store: OpenStore, accountId: string): Promise<readonly string[]> {
  const { db } = store;
  const jobs = db.selectFrom('jobs').select('id').where('accountId', '=', accountId).limit(BATCH);
  const ids = (await jobs.execute()).map(({ id }) => id);
  if (ids.length === 0) return ids;
  await removeObjects(store, ...ids);
  await db.deleteFrom('jobs').where('id', 'in', ids).execute();
  return ids;
}
