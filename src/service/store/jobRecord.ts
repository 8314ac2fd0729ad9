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
  /** As it was asked for; absent when it was not. */
  readonly deleteAfterSeconds?: number;
  /** How long the job is kept after its end, as it was decided when it began; absent when only a DELETE ends it. */
  readonly retentionSeconds?: number;
  /** From then on the job is not shown, and the next sweep deletes it. */
  readonly deleteAt?: Date;
  /** One of the words of the interface. */
  readonly failure?: string;
  /** For people. */
  readonly failureDetail?: string;
  /** How much of the work is done, in whole percent; absent before any is. */
  readonly progress?: number;
  /** Credit that is held for the job while it is in progress. Whole seconds, so that sums of it are exact. */
  readonly reservedSeconds: number;
  /** How often it was begun without an orderly end: by services that were killed, and by the one that runs it. */
  readonly attempts: number;
  /** Its place in the order of what the queue runs: the smallest comes first. Absent for what the queue does not run. */
  readonly turn?: number;
  /** Before others, among those that people finish. */
  readonly isUrgent?: boolean;
  /** Until when whoever runs or finishes the job speaks for it. */
  readonly leaseUntil?: Date;
  /** The person who finishes it. */
  readonly claimedBy?: string;
}

/** How a job ended. */
export type JobOutcome = JobSuccess | JobFailure;

export interface JobSuccess {
  readonly status: 'done';
  readonly durationSeconds?: number;
  readonly language?: string;
  readonly findings?: Readonly<Record<string, unknown>>;
}

export interface JobFailure {
  readonly status: 'failed';
  readonly durationSeconds?: number;
  readonly findings?: JobRecord['findings'];
  /** One of the words of the interface. */
  readonly failure: string;
  /** For people. */
  readonly failureDetail: string;
}

/** A {@link JobRecord} with null for what is absent. */
export type JobRow = {
  [Name in keyof JobRecord]-?: undefined extends JobRecord[Name]
    ? Exclude<JobRecord[Name], undefined> | null
    : JobRecord[Name];
};

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
