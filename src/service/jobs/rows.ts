import type { Kysely } from 'kysely';
import type { OpenStore } from '../store/store.ts';
import type { JobRow, Tables } from '../store/tables.ts';
import type { JobRecord } from './record.ts';

/** The objects of a job stand below its id. */
const objectPrefix = (id: string) => `jobs/${id}`;
export const resultKey = (id: string) => `${objectPrefix(id)}/result`;

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

/** Deletes what a job produced. */
export function removeObjects(store: OpenStore, id: string): Promise<void> {
  return store.objects.removeAll(objectPrefix(id));
}

function toRow(record: JobRecord): JobRow {
  return {
    id: record.id,
    accountId: record.accountId,
    type: record.type,
    status: record.status,
    createdOn: record.createdOn,
    completedOn: record.completedOn ?? null,
    language: record.language ?? null,
    metadata: record.metadata ?? null,
    durationSeconds: record.durationSeconds ?? null,
    deleteAfterSeconds: record.deleteAfterSeconds ?? null,
    deleteAt: record.deleteAt ?? null,
    failure: record.failure ?? null,
    failureDetail: record.failureDetail ?? null,
    leaseUntil: record.leaseUntil ?? null,
  };
}

export function fromRow(row: JobRow): JobRecord {
  return Object.fromEntries(
    Object.entries(row).filter(([, value]) => value !== null),
  ) as unknown as JobRecord;
}
