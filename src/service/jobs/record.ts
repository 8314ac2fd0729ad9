import { MAX_DELETE_AFTER_SECONDS } from '../../protocol/limits.ts';

/** How far a job is. Each area has its own word for `done`. */
export type JobStatus = 'in_progress' | 'done' | 'failed';

/** Of a job in progress that a machine has done with: a person has to finish it. */
export type JobStage = 'waiting';

/** Where to tell that a job has ended. */
export interface JobNotification {
  readonly url: string;
  /** Sent verbatim; forgotten when the job has ended and the notification is on its way. */
  readonly authorization?: string;
}

/** One job of any area: a small row. What was submitted and what it produced are objects beside it. */
export interface JobRecord {
  readonly id: string;
  readonly accountId: string;
  /** In the words of the interface, such as `stream`; it says which task runs and which area shows it. */
  readonly type: string;
  readonly status: JobStatus;
  readonly stage?: JobStage;
  readonly createdOn: Date;
  readonly completedOn?: Date;
  /** Name of the media. */
  readonly name?: string;
  readonly language?: string;
  readonly metadata?: string;
  /** What was asked for, as the area shows it. */
  readonly options?: Readonly<Record<string, unknown>>;
  readonly notification?: JobNotification;
  readonly durationSeconds?: number;
  /** What the task found out and the area shows, beside the results. */
  readonly findings?: Readonly<Record<string, unknown>>;
  /** As it was asked for; {@link DEFAULT_DELETE_AFTER_SECONDS} otherwise. */
  readonly deleteAfterSeconds?: number;
  /** From then on the job is not shown, and the next sweep deletes it. */
  readonly deleteAt?: Date;
  /** One of the words of the interface. */
  readonly failure?: string;
  /** For people. */
  readonly failureDetail?: string;
  /** Credit that is held for the job while it is in progress. */
  readonly reservedSeconds: number;
  /** How often it was begun. */
  readonly attempts: number;
  /** Until when whoever runs the job speaks for it; later it counts as orphaned. */
  readonly leaseUntil?: Date;
  /** The person who finishes it. */
  readonly claimedBy?: string;
}

/** Seconds that a job is kept after its end, unless it says otherwise. */
export const DEFAULT_DELETE_AFTER_SECONDS = MAX_DELETE_AFTER_SECONDS;

/** How a job ended. */
export type JobOutcome =
  | {
      readonly status: 'done';
      readonly durationSeconds?: number;
      readonly language?: string;
      readonly findings?: Readonly<Record<string, unknown>>;
    }
  | {
      readonly status: 'failed';
      readonly durationSeconds?: number;
      readonly failure: string;
      readonly failureDetail: string;
    };

/** The record of a job that has ended at a time. */
export function ended(record: JobRecord, outcome: JobOutcome, at: Date): JobRecord {
  const { leaseUntil: _, stage: __, claimedBy: ___, ...rest } = record;
  const keptMs = (record.deleteAfterSeconds ?? DEFAULT_DELETE_AFTER_SECONDS) * 1000;
  const notification = rest.notification && { notification: { url: rest.notification.url } };
  return {
    ...rest,
    ...notification,
    ...outcome,
    reservedSeconds: 0,
    completedOn: at,
    deleteAt: new Date(at.getTime() + keptMs),
  };
}
