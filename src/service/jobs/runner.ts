import { mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { type Span, SpanKind } from '@opentelemetry/api';
import { createId } from '../../base/ids.ts';
import { fromRow, type JobRecord, toColumns } from '../store/jobRecord.ts';
import type { OpenStore } from '../store/store.ts';
import { isStoreUnavailable, retryUntilStored } from '../store/untilReachable.ts';
import { contextAfter, failSpan, inSpan } from '../telemetry/tracing.ts';
import type { EndJob } from './ending.ts';
import { decideOnFailure } from './failureDecision.ts';
import { jobFields, type WorkContext } from './jobLog.ts';
import { type NewResults, recordResults } from './jobResults.ts';
import { JobFailedError, type TaskResult, type Tasks } from './task.ts';
import { createProgress, openTaskContext } from './taskContext.ts';
import type { Turns } from './turns.ts';
import type { Entry, Later, Work } from './worker.ts';

/** Attempts after which a job that never ended is assumed to kill the service. */
export const MAX_ATTEMPTS = 10;

export interface RunnerOptions extends WorkContext {
  readonly tasks: Tasks;
  readonly end: EndJob;
  readonly turns: Turns;
}

/** Returns the work of running jobs. A job that has ended, or waits for a person, is skipped. */
export function createRunner(options: RunnerOptions): Work {
  return async ({ id, tries, origin = {} }: Entry, signal): Promise<Later | undefined> => {
    const record = await startAttempt(options.store, id);
    if (!record) return undefined;
    options.log.info({ ...jobFields(record), attempt: record.attempts }, 'job started');
    const settings = {
      kind: SpanKind.CONSUMER,
      attributes: spanAttributes(record),
      parent: contextAfter(origin),
    };
    return inSpan(`job ${record.type}`, settings, span => run(record, { tries, signal, span }, options));
  };
}

async function run(
  record: JobRecord,
  { tries, signal, span }: { readonly tries: number; readonly signal: AbortSignal; readonly span: Span },
  options: RunnerOptions,
): Promise<Later | undefined> {
  const { store, end, turns, clock, instruments, log } = options;
  const { id, type } = record;
  const fields = jobFields(record);
  const onError = (error: unknown) => options.onError(error, fields);
  const startMs = clock.now();
  try {
    await turns.reached(record);
    if (record.attempts > MAX_ATTEMPTS) {
      throw new JobFailedError('internal_processing', 'The job was started too often and never ended.');
    }
    const { results, waits, isFree, ...found } = await perform(record, signal, { ...options, onError });
    const done = { status: 'done', ...found } as const;
    const resultsId = resultsIdOf(record);
    // Hours of work must survive an unreachable database or a full disk.
    await retryUntilStored<unknown>(
      () =>
        waits
          ? wait(store, { id, resultsId, results }, found)
          : end(id, done, { results, resultsId, isPaid: isFree }),
      { clock, signal, onError },
    );
  } catch (error) {
    const ageMs = clock.wallTime() - record.createdOn.getTime();
    const decision = decideOnFailure(error, { isAborted: signal.aborted, tries, ageMs });
    if (decision.type === 'again') {
      // Operators need to know why jobs wait.
      if (isStoreUnavailable(error)) onError(error);
      await putBack(store, record);
      log.info({ ...fields, inSeconds: decision.inSeconds }, 'job put back');
      return { againInSeconds: decision.inSeconds };
    }
    if (decision.isFault) onError(error);
    await end(id, decision.outcome);
    failSpan(span, decision.outcome.failure);
  }
  instruments.record('jobDuration', (clock.now() - startMs) / 1000, { type });
  return undefined;
}

function spanAttributes({ id, type, accountId, requestId, attempts }: JobRecord) {
  return {
    'rxscribe.job.id': id,
    'rxscribe.job.type': type,
    'rxscribe.job.attempt': attempts,
    'rxscribe.account.id': accountId,
    'rxscribe.request.id': requestId,
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

/**
 * Returns the folder of the results of a run. The number of a run is that of the runs which have not been put back, so that
 * no other one in progress has the number 1.
 */
const resultsIdOf = ({ attempts }: JobRecord) => (attempts === 1 ? undefined : createId());

/** Stores the results of the machine, and leaves the job to a person. */
async function wait(
  store: OpenStore,
  results: NewResults,
  found: Pick<JobRecord, 'durationSeconds' | 'language' | 'findings'>,
): Promise<void> {
  const { id, resultsId } = results;
  const leave = () =>
    store.db
      .updateTable('jobs')
      .set({ ...toColumns(found), stage: 'waiting', resultsId })
      .where('id', '=', id)
      .where('status', '=', 'in_progress')
      .where('stage', 'is', null)
      .returning('id')
      .executeTakeFirst();
  await recordResults(store, { ...results, isDraft: true }, leave);
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
