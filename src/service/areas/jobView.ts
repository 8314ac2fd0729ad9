import type { Job, JobFailure, JobType, UnusablePhrase } from '../../protocol/jobs.ts';
import type { JobRecord } from '../store/jobRecord.ts';
import type { Area } from './area.ts';

/** Returns the status of a job in the terms of its area. */
export function statusInArea({ status }: JobRecord, { doneStatus }: Area): string {
  return status === 'done' ? doneStatus : status;
}

/** Returns a job as shown to clients of an area. */
export function viewIn(area: Area, record: JobRecord): object {
  return area.view(record, statusInArea(record, area));
}

/** Returns the fields common to all resources. Undefined values are left out of JSON. */
export function commonView(record: JobRecord, status: string) {
  return {
    id: record.id,
    created_on: record.createdOn.toISOString(),
    completed_on: record.completedOn?.toISOString(),
    metadata: record.metadata,
    status,
    warnings: record.findings?.warnings as string[] | undefined,
    failure: record.failure as JobFailure | undefined,
    failure_detail: record.failureDetail,
    notification_failure: record.findings?.notificationFailure as string | undefined,
  };
}

/** Returns the submitted phrases that the engine cannot use. */
export function unusablePhrases({ findings }: JobRecord) {
  return { unusable_phrases: findings?.unusablePhrases as UnusablePhrase[] | undefined };
}

/** Returns a job as shown by the areas of v1: its options and its outcome. */
export function jobView(record: JobRecord, status: string): Job {
  return {
    ...record.options,
    ...commonView(record, status),
    type: record.type as JobType,
    name: record.name,
    language: record.language,
    // A job that waits for a person already has a duration.
    duration_seconds: record.status === 'in_progress' ? undefined : record.durationSeconds,
    progress: record.status === 'in_progress' ? record.progress : undefined,
    delete_after_seconds: record.deleteAfterSeconds,
    ...unusablePhrases(record),
  };
}
