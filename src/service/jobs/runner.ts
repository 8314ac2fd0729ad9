import { mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { Clock } from '../../base/clock.ts';
import { createId } from '../../base/ids.ts';
import type { JobRecord } from '../store/jobRecord.ts';
import { fromRow, toRow } from '../store/jobRecord.ts';
import type { OpenStore } from '../store/store.ts';
import { type EndJob, putResults } from './ending.ts';
import { isStoreAway, retryUntilStored } from './storeRetry.ts';
import { JobFailedError, type TaskResult, type Tasks } from './task.ts';
import { createProgress, openTaskContext } from './taskContext.ts';
import { waiting } from './transitions.ts';
import type { Turns } from './turns.ts';
import { judge } from './verdict.ts';
import type { Entry, Later, Work } from './worker.ts';

/** A job that was begun so often and never ended has killed its service each time. */
export const MAX_ATTEMPTS = 10;

export interface RunnerOptions {
  readonly store: OpenStore;
  readonly tasks: Tasks;
  readonly end: EndJob;
  readonly turns: Turns;
  readonly clock: Clock;
  /** A task failed by a fault of the service, or waits for the database or for room on the disk. */
  readonly onError: (error: unknown) => void;
}

/** Runs jobs. One that has ended meanwhile, or waits for a person, is left alone. */
export function createRunner(options: RunnerOptions): Work {
  const { store, end, turns, clock, onError } = options;
  return async ({ id, tries }: Entry, signal): Promise<Later | undefined> => {
    const record = await begin(store, id);
    if (!record) return undefined;
    turns.reached(record);
    try {
      if (record.attempts > MAX_ATTEMPTS) {
        throw new JobFailedError('internal_processing', 'The job was begun too often and never ended');
      }
      const { results, waits, ...found } = await perform(record, signal, options);
      const done = { status: 'done', ...found } as const;
      // Hours of work are not thrown away because the database is away, or the disk full, for a while.
      await retryUntilStored<unknown>(
        () => (waits ? wait(store, id, { results, found }) : end(id, done, { results })),
        { clock, signal, onError },
      );
    } catch (error) {
      const ageMs = clock.wallTime() - record.createdOn.getTime();
      const verdict = judge(error, { isAborted: signal.aborted, tries, ageMs });
      if (verdict.type === 'again') {
        // Whoever runs the service is to know why jobs wait.
        if (isStoreAway(error)) onError(error);
        await putBack(store, record);
        return { againInSeconds: verdict.inSeconds };
      }
      if (verdict.isFault) onError(error);
      await end(id, verdict.outcome);
    }
    return undefined;
  };
}

/** The job, counted as begun once more; undefined when there is nothing to run. */
async function begin({ db }: OpenStore, id: string): Promise<JobRecord | undefined> {
  const row = await db
    .updateTable('jobs')
    .set(({ eb }) => ({ attempts: eb('attempts', '+', 1) }))
    .where('id', '=', id)
    .where('status', '=', 'in_progress')
    .where('stage', 'is', null)
    .returningAll()
    .executeTakeFirst();
  return row && fromRow(row);
}

async function perform(record: JobRecord, signal: AbortSignal, options: RunnerOptions): Promise<TaskResult> {
  const { store, tasks } = options;
  const task = tasks[record.type];
  if (!task) throw new JobFailedError('internal_processing', 'This service has no engine for such jobs');
  const directory = join(store.objects.spoolDirectory, createId());
  await mkdir(directory, { mode: 0o700 });
  try {
    const progress = createProgress(record.id, options);
    const context = await openTaskContext(store, record, { directory, signal, progress });
    // A task that listens for the abort would not learn of one that is over.
    signal.throwIfAborted();
    return await task(record, context);
  } finally {
    await rm(directory, { recursive: true, force: true });
  }
}

/** Leaves the job to a person. */
async function wait(
  store: OpenStore,
  id: string,
  { results, found }: { results: TaskResult['results']; found: Parameters<typeof waiting>[1] },
): Promise<void> {
  await store.db.transaction().execute(async trx => {
    const row = await trx
      .selectFrom('jobs')
      .selectAll()
      .where('id', '=', id)
      .where('status', '=', 'in_progress')
      .where('stage', 'is', null)
      .forUpdate()
      .executeTakeFirst();
    if (!row) return;
    await putResults(store, id, results);
    await trx
      .updateTable('jobs')
      .set(toRow(waiting(fromRow(row), found)))
      .where('id', '=', id)
      .execute();
  });
}

/** An orderly end of a run, which does not count. */
async function putBack({ db }: OpenStore, { id }: JobRecord): Promise<void> {
  await db
    .updateTable('jobs')
    .set(({ eb }) => ({ attempts: eb('attempts', '-', 1) }))
    .where('id', '=', id)
    .where('status', '=', 'in_progress')
    .execute();
}
