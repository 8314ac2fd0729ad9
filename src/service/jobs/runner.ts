import { mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { Clock } from '../../base/clock.ts';
import { createId } from '../../base/ids.ts';
import type { OpenStore } from '../store/store.ts';
import { holdCredit, settleCredit } from './credit.ts';
import { OutOfCreditError } from './jobs.ts';
import { addDelivery, type DescribeJob } from './outbox.ts';
import type { Queue } from './queue.ts';
import { ended, type JobOutcome, type JobRecord } from './record.ts';
import { fromRow, inputKey, mediaKey, removeJob, resultKey, submittedPrefix, toRow } from './rows.ts';
import { JobFailedError, type TaskContext, type TaskResult, type Tasks } from './task.ts';

/** A job that was begun so often and never ended has killed its service each time. */
const MAX_ATTEMPTS = 10;

export interface RunnerOptions {
  readonly store: OpenStore;
  readonly queue: Queue;
  readonly tasks: Tasks;
  readonly describe: DescribeJob;
  readonly clock: Clock;
  /** A task failed by a fault of the service. */
  readonly onError: (error: unknown) => void;
}

/** Runs jobs and ends them, each once for its user. */
export interface Runner {
  run(id: string, signal: AbortSignal): Promise<void>;
  /** Ends a job that is in progress, whoever asks: false when it had ended before. */
  end(record: JobRecord, outcome: JobOutcome, results?: Readonly<Record<string, string>>): Promise<boolean>;
}

export function createRunner(options: RunnerOptions): Runner {
  const { store, queue, clock } = options;
  const { db, objects } = store;
  const now = () => new Date(clock.wallTime());

  /** The job, counted as begun once more; undefined when there is nothing to run. */
  async function begin(id: string): Promise<JobRecord | undefined> {
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

  async function perform(record: JobRecord, signal: AbortSignal): Promise<TaskResult> {
    const task = options.tasks[record.type];
    if (!task) throw new JobFailedError('internal_processing', 'This service has no engine for such jobs');
    const directory = join(objects.spoolDirectory, createId());
    await mkdir(directory, { mode: 0o700 });
    try {
      return await task(record, await contextOf(record, directory, signal));
    } finally {
      await rm(directory, { recursive: true, force: true });
    }
  }

  async function contextOf(record: JobRecord, directory: string, signal: AbortSignal): Promise<TaskContext> {
    const input = await objects.get(inputKey(record.id));
    return {
      input: input === undefined ? undefined : JSON.parse(input),
      media: await objects.pathOf(mediaKey(record.id)),
      directory,
      signal,
      keepMedia: (path, name) => keepMedia(record.id, path, name),
      reserve: seconds => reserve(record.id, seconds),
    };
  }

  async function keepMedia(id: string, path: string, name?: string): Promise<string> {
    await objects.adopt(mediaKey(id), path);
    if (name !== undefined) {
      await db.updateTable('jobs').set({ name }).where('id', '=', id).where('name', 'is', null).execute();
    }
    return (await objects.pathOf(mediaKey(id)))!;
  }

  async function reserve(id: string, seconds: number): Promise<void> {
    await db
      .transaction()
      .execute(async trx => {
        const { accountId, reservedSeconds } = await trx
          .selectFrom('jobs')
          .select(['accountId', 'reservedSeconds'])
          .where('id', '=', id)
          .executeTakeFirstOrThrow();
        if (seconds <= reservedSeconds) return;
        await holdCredit(trx, accountId, seconds - reservedSeconds);
        await trx.updateTable('jobs').set({ reservedSeconds: seconds }).where('id', '=', id).execute();
      })
      .catch(error => {
        if (!(error instanceof OutOfCreditError)) throw error;
        throw new JobFailedError('insufficient_balance', 'The media is longer than the credit that is left');
      });
  }

  async function end(
    before: JobRecord,
    outcome: JobOutcome,
    results: Readonly<Record<string, string>> = {},
  ): Promise<boolean> {
    const isKept = before.deleteAfterSeconds !== 0;
    for (const [name, contents] of Object.entries(isKept ? results : {})) {
      await objects.put(resultKey(before.id, name), contents);
    }
    const isEnded = await db.transaction().execute(async trx => {
      const row = await trx
        .selectFrom('jobs')
        .selectAll()
        .where('id', '=', before.id)
        .where('status', '=', 'in_progress')
        .forUpdate()
        .executeTakeFirst();
      if (!row) return false;
      const current = fromRow(row);
      const record = ended(current, outcome, now());
      await trx.updateTable('jobs').set(toRow(record)).where('id', '=', record.id).execute();
      const used = outcome.status === 'done' ? (outcome.durationSeconds ?? 0) : 0;
      await settleCredit(trx, record.accountId, { held: current.reservedSeconds, used });
      await addDelivery(trx, {
        queue,
        describe: options.describe,
        record: { ...record, notification: current.notification },
      });
      return true;
    });
    if (isEnded && before.notification) queue.wake('deliveries');
    if (isKept) await objects.removeAll(submittedPrefix(before.id));
    else await removeJob(store, before.id);
    return isEnded;
  }

  async function wait(record: JobRecord, result: TaskResult): Promise<void> {
    for (const [name, contents] of Object.entries(result.results)) {
      await objects.put(resultKey(record.id, name), contents);
    }
    const { durationSeconds = null } = result;
    await db
      .updateTable('jobs')
      .set({ stage: 'waiting', durationSeconds })
      .where('id', '=', record.id)
      .where('status', '=', 'in_progress')
      .execute();
  }

  return {
    end,
    async run(id, signal) {
      const record = await begin(id);
      if (!record) return;
      try {
        if (record.attempts > MAX_ATTEMPTS) {
          throw new JobFailedError('internal_processing', 'The job was begun too often and never ended');
        }
        const { results, waits, ...outcome } = await perform(record, signal);
        if (waits) await wait(record, { results, waits, ...outcome });
        else await end(record, { status: 'done', ...outcome }, results);
      } catch (error) {
        signal.throwIfAborted();
        if (!(error instanceof JobFailedError)) options.onError(error);
        const { failure, message } =
          error instanceof JobFailedError
            ? error
            : { failure: 'internal_processing', message: 'The service failed while the job was in progress' };
        await end(record, { status: 'failed', failure, failureDetail: message });
      }
    },
  };
}
