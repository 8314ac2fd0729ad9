import type { Job, JobFailure, JobType, UnusablePhrase } from '../../protocol/jobs.ts';
import type { JobRecord } from '../store/jobRecord.ts';

/** The state of a job in the word of its area. */
export function statusWord({ status }: JobRecord, { doneWord }: { readonly doneWord: string }): string {
  return status === 'done' ? doneWord : status;
}

/** What all resources of the interface show; what has no value is undefined, and left out of JSON. */
export function commonView(record: JobRecord, doneWord: string) {
  return {
    id: record.id,
    created_on: record.createdOn.toISOString(),
    completed_on: record.completedOn?.toISOString(),
    metadata: record.metadata,
    status: statusWord(record, { doneWord }),
    failure: record.failure as JobFailure | undefined,
    failure_detail: record.failureDetail,
  };
}

/** The phrases that came with a job and were of no use. */
export function unusablePhrases({ findings }: JobRecord) {
  return { unusable_phrases: findings?.unusablePhrases as UnusablePhrase[] | undefined };
}

/** A job as the areas of v1 show it: what was asked for, and what came of it. */
export function jobView(record: JobRecord, doneWord: string): Job {
  return {
    ...record.options,
    ...commonView(record, doneWord),
    type: record.type as JobType,
    name: record.name,
    language: record.language,
    // Of a job that waits for a person it is known before.
    duration_seconds: record.status === 'in_progress' ? undefined : record.durationSeconds,
    progress: record.status === 'in_progress' ? record.progress : undefined,
    delete_after_seconds: record.deleteAfterSeconds,
    ...unusablePhrases(record),
  };
}
