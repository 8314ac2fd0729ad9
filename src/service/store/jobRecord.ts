/** The status of a job. Each area has its own term for `done`. */
export type JobStatus = 'in_progress' | 'done' | 'failed';

/** The stage of a job in progress whose machine part is done: it waits for a person. */
export type JobStage = 'waiting';

/** The receiver of the notification that a job has ended. */
export interface JobNotification {
  readonly url: string;
  /** Sent verbatim; removed from the record when the notification is queued. */
  readonly authorization?: string;
}

/** A job of any area, as one small row. Input and results are objects. */
export interface JobRecord {
  readonly id: string;
  readonly accountId: string;
  /** A type of the interface, such as `stream`; determines the task and the area. */
  readonly type: string;
  readonly status: JobStatus;
  readonly stage?: JobStage;
  readonly createdOn: Date;
  readonly completedOn?: Date;
  /** Name of the media. */
  readonly name?: string;
  readonly language?: string;
  readonly metadata?: string;
  /** Options as submitted, shown by the area. */
  readonly options?: Readonly<Record<string, unknown>>;
  readonly notification?: JobNotification;
  readonly durationSeconds?: number;
  /** Findings of the task shown by the area, besides the results. */
  readonly findings?: Readonly<Record<string, unknown>>;
  /** As submitted; absent when it was not. */
  readonly deleteAfterSeconds?: number;
  /** Seconds that the job is kept after its end, decided at its start; absent for one kept until it is deleted. */
  readonly retentionSeconds?: number;
  /** From this time on the job is hidden; maintenance then deletes it. */
  readonly deleteAt?: Date;
  /** A failure code of the interface. */
  readonly failure?: string;
  /** A message for users. */
  readonly failureDetail?: string;
  /** Progress in whole percent; absent at the start. */
  readonly progress?: number;
  /** Seconds of credit held while the job is in progress. An integer, so that sums are exact. */
  readonly reservedSeconds: number;
  /** Attempts without an orderly end, the current one included: each of the others killed its service. */
  readonly attempts: number;
  /** Position in the order of its lane; smaller comes first. Absent for jobs outside the queue. */
  readonly turn?: number;
  /** True for human jobs that come before others. */
  readonly isUrgent?: boolean;
  /** End of the lease of the process that runs the job, or of the claim of the person who finishes it. */
  readonly leaseUntil?: Date;
  /** The person who has claimed the job. */
  readonly claimedBy?: string;
  /** Id of the request that submitted the job. */
  readonly requestId?: string;
  /** Folder of the results, if it is not the default. */
  readonly resultsId?: string;
}

/** The outcome of a job. */
export type JobOutcome = JobSuccess | JobFailure;

export interface JobSuccess extends Pick<JobRecord, 'durationSeconds' | 'language' | 'findings'> {
  readonly status: 'done';
}

export interface JobFailure
  extends Pick<JobRecord, 'durationSeconds' | 'findings'>,
    Required<Pick<JobRecord, 'failure' | 'failureDetail'>> {
  readonly status: 'failed';
}

/** A {@link JobRecord} with null for absent values. */
export type JobRow = {
  [Name in keyof JobRecord]-?: undefined extends JobRecord[Name]
    ? Exclude<JobRecord[Name], undefined> | null
    : JobRecord[Name];
};

/** Encodes a JSON column: the driver for servers would turn lists into PostgreSQL arrays. */
const json = (value: unknown) => (value === undefined ? undefined : JSON.stringify(value)) as never;

/** Returns values as columns. Absent ones are null in a new row, and do not change in another one. */
export function toColumns<Values extends Partial<JobRecord>>(values: Values) {
  const { options, notification, findings, isUrgent } = values;
  return {
    ...values,
    options: json(options),
    notification: json(notification),
    findings: json(findings),
    // Null rather than false: in ascending order false comes before true, and null after it.
    isUrgent: isUrgent || undefined,
  };
}

export function fromRow(row: JobRow): JobRecord {
  return Object.fromEntries(
    Object.entries(row).filter(([, value]) => value !== null),
  ) as unknown as JobRecord;
}
