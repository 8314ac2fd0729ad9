import { sql } from 'kysely';
import { RESULTS, SUBMITTED } from '../../../../../src/service/jobs/jobObjects.ts';
import { jobsOf } from '../../../../../src/service/jobs/leftovers.ts';
import { QUEUE_TABLE } from '../../../../../src/service/jobs/queue.ts';
import type { OpenStore } from '../../../../../src/service/store/store.ts';

/** Numbers of rows and objects that are 0 in a sound service at rest. */
export interface Leftovers {
  /** Jobs in progress, streams included. */
  readonly jobs: number;
  /** Entries of the queues. */
  readonly entries: number;
  /** Pending notifications. */
  readonly deliveries: number;
  /** Streams that count for the limit of their account. */
  readonly streams: number;
  /** Accounts with credit that is reserved. */
  readonly reservations: number;
  /** Inputs of jobs that have ended, or were never queued. */
  readonly inputs: number;
  /** Results of jobs that do not exist. */
  readonly results: number;
}

/** Counts the leftovers of work in progress and of failures in a store. */
export async function countLeftovers(store: OpenStore): Promise<Leftovers> {
  const { rows } = await sql<Omit<Leftovers, 'inputs' | 'results'>>`select
    (select count(*)::int from jobs where status = 'in_progress') as jobs,
    (select count(*)::int from ${sql.table(QUEUE_TABLE)}) as entries,
    (select count(*)::int from deliveries) as deliveries,
    (select count(*)::int from streams) as streams,
    (select count(*)::int from accounts where reserved_seconds <> 0) as reservations`.execute(store.db);
  let inputs = 0;
  let results = 0;
  for await (const { status } of jobsOf(store, SUBMITTED)) if (status !== 'in_progress') inputs++;
  for await (const { status } of jobsOf(store, RESULTS)) if (!status) results++;
  return { ...rows[0]!, inputs, results };
}
