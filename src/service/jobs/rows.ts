import type { JobRow } from '../store/tables.ts';
import type { JobRecord } from './record.ts';

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
    retentionSeconds: record.retentionSeconds ?? null,
    deleteAt: record.deleteAt ?? null,
    failure: record.failure ?? null,
    failureDetail: record.failureDetail ?? null,
    progress: record.progress ?? null,
    reservedSeconds: record.reservedSeconds,
    attempts: record.attempts,
    turn: record.turn ?? null,
    // What is not urgent is sorted behind, as null is.
    isUrgent: record.isUrgent || null,
    leaseUntil: record.leaseUntil ?? null,
    claimedBy: record.claimedBy ?? null,
  };
}

export function fromRow(row: JobRow): JobRecord {
  return Object.fromEntries(
    Object.entries(row).filter(([, value]) => value !== null),
  ) as unknown as JobRecord;
}
