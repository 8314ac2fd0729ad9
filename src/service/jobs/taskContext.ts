import type { OpenStore } from '../store/store.ts';
import { holdCredit } from './credit.ts';
import { inputKey, mediaKey } from './jobObjects.ts';
import { OutOfCreditError } from './jobs.ts';
import type { JobRecord } from './record.ts';
import { JobFailedError, type TaskContext } from './task.ts';

/** What a task has to work with, in the store of its job. */
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
    media: await objects.pathOf(mediaKey(id)),
    keepMedia: (path, name) => keepMedia(store, id, { path, name }),
    reserve: seconds => reserve(store, id, Math.ceil(seconds)),
  };
}

async function keepMedia(
  { db, objects }: OpenStore,
  id: string,
  { path, name }: { readonly path: string; readonly name: string | undefined },
): Promise<string> {
  await objects.adopt(mediaKey(id), path);
  if (name !== undefined) {
    await db.updateTable('jobs').set({ name }).where('id', '=', id).where('name', 'is', null).execute();
  }
  return (await objects.pathOf(mediaKey(id)))!;
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
      // Somebody else has ended it, who believed this process to be gone.
      if (!job || seconds <= job.reservedSeconds) return;
      await holdCredit(trx, job.accountId, seconds - job.reservedSeconds);
      await trx.updateTable('jobs').set({ reservedSeconds: seconds }).where('id', '=', id).execute();
    });
  } catch (error) {
    if (!(error instanceof OutOfCreditError)) throw error;
    throw new JobFailedError('insufficient_balance', 'The media is longer than the credit that is left');
  }
}
