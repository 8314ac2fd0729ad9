import type { Job, JobFailure, JobType } from '../../protocol/jobs.ts';
import type { JobRecord } from '../jobs/record.ts';
import type { Area } from './area.ts';

/** The state of a job in the word of its area. */
export function statusWord(record: JobRecord, area: Area): string {
  return record.status === 'done' ? area.doneWord : record.status;
}

/** A job as clients see it. */
export function jobView(record: JobRecord, area: Area): Job {
  return {
    id: record.id,
    created_on: record.createdOn.toISOString(),
    completed_on: record.completedOn?.toISOString(),
    metadata: record.metadata,
    status: statusWord(record, area),
    type: record.type as JobType,
    language: record.language,
    duration_seconds: record.durationSeconds,
    delete_after_seconds: record.deleteAfterSeconds,
    failure: record.failure as JobFailure | undefined,
    failure_detail: record.failureDetail,
  };
}
