import type { Kysely } from 'kysely';
import type { OpenStore } from '../store/store.ts';
import type { JobRow, Tables } from '../store/tables.ts';
import type { JobRecord } from './record.ts';

/** The objects of a job stand below its id. */
const objectPrefix = (id: string) => `jobs/${id}`;
export const resultKey = (id: string, name: string) => `${objectPrefix(id)}/results/${name}`;
/** What was submitted beyond the record. */
export const inputKey = (id: string) => `${submittedPrefix(id)}/input`;
export const mediaKey = (id: string) => `${submittedPrefix(id)}/media`;
/** Not needed any more when the job has ended. */
export const submittedPrefix = (id: string) => `${objectPrefix(id)}/submitted`;

/** Inserts or replaces the row of a job. */
export async function saveJob(db: Kysely<Tables>, record: JobRecord): Promise<void> {
  const row = toRow(record);
  await db
    .insertInto('jobs')
    .values(row)
    .onConflict(conflict => conflict.column('id').doUpdateSet(row))
    .execute();
}

/** Deletes the objects of a job, then its row: what is interrupted in between can be done again. */
export async function removeJob(store: OpenStore, id: string): Promise<void> {
  await removeObjects(store, id);
  await store.db.deleteFrom('jobs').where('id', '=', id).execute();
}

/** Deletes what was submitted for a job and what it produced. */
export function removeObjects(store: OpenStore, id: string): Promise<void> {
  return store.objects.removeAll(objectPrefix(id));
}

/** Columns of JSON: the driver for servers would make PostgreSQL arrays of lists. */
const json = (value: unknown) => (value === undefined ? null : JSON.stringify(value)) as never;

export function toRow(record: JobRecord): JobRow {
  return {
    id: record.id,
    accountId: record.accountId,
    type: record.type,
    status: record.status,
    stage: record.stage ?? null,
    createdOn: record.createdOn,
    completedOn: record.completedOn ?? null,
    name: record.name ?? null,
    language: record.language ?? null,
    metadata: record.metadata ?? null,
    options: json(record.options),
    notification: json(record.notification),
    durationSeconds: record.durationSeconds ?? null,
    findings: json(record.findings),
    deleteAfterSeconds: record.deleteAfterSeconds ?? null,
    deleteAt: record.deleteAt ?? null,
    failure: record.failure ?? null,
    failureDetail: record.failureDetail ?? null,
    reservedSeconds: record.reservedSeconds,
    attempts: record.attempts,
    leaseUntil: record.leaseUntil ?? null,
    claimedBy: record.claimedBy ?? null,
  };
}

export function fromRow(row: JobRow): JobRecord {
  return Object.fromEntries(
    Object.entries(row).filter(([, value]) => value !== null),
  ) as unknown as JobRecord;
}
