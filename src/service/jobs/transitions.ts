import type { JobOutcome, JobRecord } from '../store/jobRecord.ts';
import type { NewJob } from './jobs.ts';

/** How a record begins, beyond what is known of the job. */
export interface Beginning
  extends Pick<JobRecord, 'createdOn' | 'retentionSeconds' | 'leaseUntil' | 'turn'>,
    Partial<Pick<JobRecord, 'reservedSeconds' | 'attempts'>> {}

/** The record of a job that begins. */
export function begun({ isPermanent: _, ...job }: NewJob, beginning: Beginning): JobRecord {
  return { reservedSeconds: 0, attempts: 0, ...job, ...beginning, status: 'in_progress' };
}

/** The record of a job whose machine has done its part. */
export function waiting(
  record: JobRecord,
  found: Pick<JobRecord, 'durationSeconds' | 'language' | 'findings'>,
): JobRecord {
  return { ...record, ...found, stage: 'waiting' };
}

/** The record of a job that has ended at a time. */
export function ended(record: JobRecord, outcome: JobOutcome, at: Date): JobRecord {
  const { leaseUntil: _, stage: __, claimedBy: ___, notification, retentionSeconds, ...rest } = record;
  return {
    ...rest,
    ...outcome,
    ...(notification && { notification: { url: notification.url } }),
    reservedSeconds: 0,
    completedOn: at,
    ...(retentionSeconds !== undefined && {
      retentionSeconds,
      deleteAt: new Date(at.getTime() + retentionSeconds * 1000),
    }),
  };
}

/** Seconds of credit that a job has used. */
export function costOf({ status, durationSeconds = 0 }: JobRecord): number {
  return status === 'done' ? durationSeconds : 0;
}
