import type { Clock } from '../../base/clock.ts';
import type { JobRecord } from '../store/jobRecord.ts';
import type { OpenStore } from '../store/store.ts';
import { holdCredit } from './credit.ts';
import { inputKey, mediaKey, submittedKey } from './jobObjects.ts';
import { OutOfCreditError } from './jobs.ts';
import { JobFailedError, type TaskContext } from './task.ts';

/** Creates the context of a task from the store. */
export async function openTaskContext(
  store: OpenStore,
  { id }: JobRecord,
  options: Pick<TaskContext, 'directory' | 'signal' | 'progress'>,
): Promise<TaskContext> {
  const { objects } = store;
  const input = await objects.get(inputKey(id));
  return {
    ...options,
    input: input === undefined ? undefined : JSON.parse(input),
    media: await objects.fileOf(mediaKey(id), options.directory),
    keepMedia: (path, name) => keepMedia(store, id, { path, name }),
    async keepFile(name, path) {
      await objects.adopt(submittedKey(id, name), path);
    },
    reserve: seconds => reserve(store, id, Math.ceil(seconds)),
  };
}

async function keepMedia(
  { db, objects }: OpenStore,
  id: string,
  { path, name }: { readonly path: string; readonly name: string | undefined },
): Promise<string> {
  const kept = await objects.adopt(mediaKey(id), path);
  if (name !== undefined) {
    await db.updateTable('jobs').set({ name }).where('id', '=', id).where('name', 'is', null).execute();
  }
  return kept;
}

/** @throws JobFailedError `insufficient_balance` */
async function reserve({ db }: OpenStore, id: string, seconds: number): Promise<void> {
  try {
    await db.transaction().execute(async trx => {
      const job = await trx
        .selectFrom('jobs')
        .select(['accountId', 'reservedSeconds'])
        .where('id', '=', id)
        .where('status', '=', 'in_progress')
        .forUpdate()
        .executeTakeFirst();
      // Another process has ended the job, assuming that this process was gone.
      if (!job || seconds <= job.reservedSeconds) return;
      await holdCredit(trx, job.accountId, seconds - job.reservedSeconds);
      await trx.updateTable('jobs').set({ reservedSeconds: seconds }).where('id', '=', id).execute();
    });
  } catch (error) {
    if (!(error instanceof OutOfCreditError)) throw error;
    throw new JobFailedError('insufficient_balance', 'The media is longer than the remaining credit.');
  }
}

/** Minimum milliseconds between two writes of the progress. */
export const PROGRESS_INTERVAL_MS = 2000;

/**
 * Returns a function that records the progress of a job, in whole percent and never backwards. Writes are rare and in
 * the background; a failed one is skipped.
 */
export function createProgress(
  id: string,
  { store, clock, onError }: { store: OpenStore; clock: Clock; onError: (error: unknown) => void },
): (fraction: number) => void {
  let noted = 0;
  let nextAt = Number.NEGATIVE_INFINITY;
  return fraction => {
    const percent = Math.min(100, Math.floor(100 * fraction));
    if (!(percent > noted) || clock.now() < nextAt) return;
    noted = percent;
    nextAt = clock.now() + PROGRESS_INTERVAL_MS;
    store.db
      .updateTable('jobs')
      .set({ progress: percent })
      .where('id', '=', id)
      .where('status', '=', 'in_progress')
      .execute()
      .catch(onError);
  };
}
