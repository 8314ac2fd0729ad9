import { MAX_DELETE_AFTER_SECONDS } from '../../protocol/limits.ts';

/** How far a job is. Each area has its own word for `done`. */
export type JobStatus = 'in_progress' | 'done' | 'failed';

/** Why a job failed, in the words of the interface. */
export type JobFailure = 'invalid_media' | 'transcription' | 'internal_processing';

/** One job of any area: a small row. What it produced is an object beside it. */
export interface JobRecord {
  readonly id: string;
  readonly accountId: string;
  /** In the words of the interface, such as `stream`. */
  readonly type: string;
  readonly status: JobStatus;
  readonly createdOn: Date;
  readonly completedOn?: Date;
  readonly language?: string;
  readonly metadata?: string;
  readonly durationSeconds?: number;
  /** As it was asked for; {@link DEFAULT_DELETE_AFTER_SECONDS} otherwise. */
  readonly deleteAfterSeconds?: number;
  /** From then on the job is not shown, and the next sweep deletes it. */
  readonly deleteAt?: Date;
  readonly failure?: JobFailure;
  readonly failureDetail?: string;
  /** Until when whoever runs the job speaks for it; later it counts as orphaned. */
  readonly leaseUntil?: Date;
}

/** Seconds that a job is kept after its end, unless it says otherwise. */
export const DEFAULT_DELETE_AFTER_SECONDS = MAX_DELETE_AFTER_SECONDS;

/** How a job ended. */
export type JobOutcome =
  | { readonly status: 'done'; readonly durationSeconds: number }
  | {
      readonly status: 'failed';
      readonly durationSeconds?: number;
      readonly failure: JobFailure;
      readonly failureDetail: string;
    };

/** The record of a job that has ended at a time. */
export function ended(record: JobRecord, outcome: JobOutcome, at: Date): JobRecord {
  const { leaseUntil: _, ...rest } = record;
  const keptMs = (record.deleteAfterSeconds ?? DEFAULT_DELETE_AFTER_SECONDS) * 1000;
  return { ...rest, ...outcome, completedOn: at, deleteAt: new Date(at.getTime() + keptMs) };
}
