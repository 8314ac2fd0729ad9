import { mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { Clock } from '../../base/clock.ts';
import { createId } from '../../base/ids.ts';
import { fromRow, type JobRecord, toRow } from '../store/jobRecord.ts';
import type { OpenStore } from '../store/store.ts';
import { type EndJob, putResults } from './ending.ts';
import { decideOnFailure } from './failureDecision.ts';
import { isStoreUnavailable, retryUntilStored } from './storeRetry.ts';
import { JobFailedError, type TaskResult, type Tasks } from './task.ts';
import { createProgress, openTaskContext } from './taskContext.ts';
import { waiting } from './transitions.ts';
import type { Turns } from './turns.ts';
import type { Entry, Later, Work } from './worker.ts';

/** Attempts after which a job that never ended is assumed to kill the service. */
export const MAX_ATTEMPTS = 10;

export interface RunnerOptions {
  readonly store: OpenStore;
  readonly tasks: Tasks;
  readonly end: EndJob;
  readonly turns: Turns;
  readonly clock: Clock;
  /** Called when a task failed by a fault of the service, or waits for the database or for disk space. */
  readonly onError: (error: unknown) => void;
}

/** Returns the work of running jobs. A job that has ended, or waits for a person, is skipped. */
export function createRunner(options: RunnerOptions): Work {
  const { store, end, turns, clock, onError } = options;
  return async ({ id, tries }: Entry, signal): Promise<Later | undefined> => {
    const record = await startAttempt(store, id);
    if (!record) return undefined;
    turns.reached(record);
    try {
      if (record.attempts > MAX_ATTEMPTS) {
        throw new JobFailedError('internal_processing', 'The job was started too often and never ended.');
      }
      const { results, waits, ...found } = await perform(record, signal, options);
      const done = { status: 'done', ...found } as const;
      // Hours of work must survive an unreachable database or a full disk.
      await retryUntilStored<unknown>(
        () => (waits ? wait(store, id, { results, found }) : end(id, done, { results })),
        { clock, signal, onError },
      );
    } catch (error) {
      const ageMs = clock.wallTime() - record.createdOn.getTime();
      const decision = decideOnFailure(error, { isAborted: signal.aborted, tries, ageMs });
      if (decision.type === 'again') {
        // Operators need to know why jobs wait.
        if (isStoreUnavailable(error)) onError(error);
        await putBack(store, record);
        return { againInSeconds: decision.inSeconds };
      }
      if (decision.isFault) onError(error);
      await end(id, decision.outcome);
    }
    return undefined;
  };
}

/** Counts another attempt and returns the job; undefined when there is nothing to run. */
async function startAttempt({ db }: OpenStore, id: string): Promise<JobRecord | undefined> {
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
  if (!task)
    throw new JobFailedError('internal_processing', 'This service has no engine for this type of job.');
  const directory = join(store.objects.spoolDirectory, createId());
  await mkdir(directory, { mode: 0o700 });
  try {
    const progress = createProgress(record.id, options);
    const context = await openTaskContext(store, record, { directory, signal, progress });
    // A task that listens for the abort would miss an earlier one.
    signal.throwIfAborted();
    return await task(record, context);
  } finally {
    await rm(directory, { recursive: true, force: true });
  }
}

/** Stores the results of the machine, and leaves the job to a person. */
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

/** Takes back the attempt: the run ended in an orderly way. */
async function putBack({ db }: OpenStore, { id }: JobRecord): Promise<void> {
  await db
    .updateTable('jobs')
    .set(({ eb }) => ({ attempts: eb('attempts', '-', 1) }))
    .where('id', '=', id)
    .where('status', '=', 'in_progress')
    .execute();
}
