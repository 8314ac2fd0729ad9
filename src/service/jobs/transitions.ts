import type { JobOutcome, JobRecord } from '../store/jobRecord.ts';
import type { NewJob } from './jobs.ts';

/** The parts of a new record that are not part of {@link NewJob}. */
export interface Beginning
  extends Pick<JobRecord, 'createdOn' | 'retentionSeconds' | 'leaseUntil' | 'turn'>,
    Partial<Pick<JobRecord, 'reservedSeconds' | 'attempts'>> {}

/** Returns the record of a job that starts. */
export function begun({ isPermanent: _, ...job }: NewJob, beginning: Beginning): JobRecord {
  return { reservedSeconds: 0, attempts: 0, ...job, ...beginning, status: 'in_progress' };
}

/** Returns the record of a job that has ended. */
export function ended(record: JobRecord, outcome: JobOutcome, at: Date): JobRecord {
  const { leaseUntil: _, stage: __, claimedBy: ___, notification, retentionSeconds, ...rest } = record;
  return {
    ...rest,
    ...outcome,
    notification: notification && { url: notification.url },
    reservedSeconds: 0,
    completedOn: at,
    retentionSeconds,
    deleteAt: retentionSeconds === undefined ? undefined : new Date(at.getTime() + retentionSeconds * 1000),
  };
}

/** Returns the seconds of credit used by a job. */
export function costOf({ status, durationSeconds = 0 }: JobRecord): number {
  return status === 'done' ? durationSeconds : 0;
}
