import type { Kysely } from 'kysely';
import type { JobOutcome, JobRecord } from '../store/jobRecord.ts';
import type { Tables } from '../store/tables.ts';

/** The parts of a record that are known when a job starts. */
export interface NewJob
  extends Pick<
    JobRecord,
    | 'id'
    | 'accountId'
    | 'type'
    | 'name'
    | 'language'
    | 'metadata'
    | 'options'
    | 'notification'
    | 'deleteAfterSeconds'
    | 'isUrgent'
    | 'requestId'
  > {
  /** True for a job that is kept until it is deleted, whatever the settings of the account. Default false. */
  readonly isPermanent?: boolean;
}

/** A job to be queued. */
export interface Submission extends NewJob {
  /** Input of the task besides the record, as JSON; deleted when the job ends. */
  readonly input?: unknown;
  /** Path of an uploaded file, which the job takes over. */
  readonly media?: string;
  /** Seconds of credit to hold, rounded up; an estimate until the length is known. 0 for jobs without cost. */
  readonly reserveSeconds: number;
  /** The span of the request, if anybody collects traces. */
  readonly traceparent?: string;
}

/** A job that runs in this process, outside the queue. */
export interface RunningJob {
  /** Ends the job in the background; `find` shows the end from now on. Later calls do nothing. */
  end(outcome: JobOutcome, results?: Readonly<Record<string, string>>): void;
}

/** A selection of the jobs of an account. */
export interface JobFilter {
  readonly types: readonly string[];
  /** Selects jobs created at this time or later. */
  readonly since?: Date;
  /** Selects jobs after this one, of the same account and types, even if it has been deleted since. */
  readonly startingAfter?: string;
  readonly limit: number;
}

/** An error for a submission that exceeds the credit of the account. */
export class OutOfCreditError extends Error {
  readonly balanceSeconds: number;

  constructor(balanceSeconds: number) {
    super('The account has not enough credit.');
    this.balanceSeconds = balanceSeconds;
  }
}

/** A job with its input. */
export interface JobWithInput {
  readonly record: JobRecord;
  /** Submitted data besides the record; undefined when the job has ended. */
  readonly input: unknown;
}

/** Returns whether a job may end; the job does not change before the transaction is over. */
export type AllowEnd = (trx: Kysely<Tables>, job: JobRecord) => Promise<boolean>;

/** Human jobs of all accounts. While they wait they have machine results and media. */
export interface HumanJobs {
  /** Returns waiting jobs, claimed ones included: urgent ones first, then by age. */
  waiting(options: { readonly limit: number }): Promise<readonly JobRecord[]>;
  /** Returns a job of any account, waiting or not. */
  find(id: string): Promise<JobWithInput | undefined>;
  /**
   * Claims a waiting job for a person, or extends that person's claim.
   *
   * @returns undefined when no waiting job has this id, or another person has claimed it
   */
  claim(id: string, person: string, seconds: number): Promise<JobRecord | undefined>;
  /** Ends the claim of a person. Returns false when there was none. */
  release(id: string, person: string): Promise<boolean>;
  /**
   * Ends a waiting job.
   *
   * @param results replace machine results of the same names
   * @param options.isAllowed default: it may end, whoever has claimed it
   * @param options.workId begins the id of the results
   * @returns false when the job is not waiting, or may not end
   */
  finish(
    id: string,
    outcome: JobOutcome,
    results?: Readonly<Record<string, string>>,
    options?: { readonly isAllowed?: AllowEnd; readonly workId?: string },
  ): Promise<boolean>;
}

/** A job that has ended; or one in progress, when the service stops. */
export interface EndedJob {
  readonly record: JobRecord;
  /** Its results; absent when another process ran the job, or it had ended before. */
  readonly results?: Readonly<Record<string, string>>;
}

/** The jobs of a service, whatever their tasks: records with results. */
export interface Jobs {
  readonly human: HumanJobs;
  /**
   * Queues a job. When this resolves, the job is on the disk and will run.
   *
   * @throws OutOfCreditError
   */
  submit(submission: Submission): Promise<JobRecord>;
  /** Starts a job that this process runs itself. Returns at once; the record is written in the background. */
  start(job: NewJob): RunningJob;
  /** Returns a job of an account; undefined when it does not exist or has expired. */
  find(accountId: string, id: string): Promise<JobRecord | undefined>;
  /**
   * Resolves with a job when it has ended; with undefined when it does not exist any more. When the service stops, it
   * resolves with a job that is still in progress.
   *
   * @throws the signal's reason
   */
  ended(accountId: string, id: string, signal: AbortSignal): Promise<EndedJob | undefined>;
  /** Returns a page of jobs, newest first; undefined when there is no job to start after. */
  list(accountId: string, filter: JobFilter): Promise<readonly JobRecord[] | undefined>;
  /** Counts the jobs of an account in progress, up to the limit. */
  countInProgress(accountId: string, limit: number): Promise<number>;
  /** Returns a result of a job by its name. */
  result(id: string, name: string): Promise<string | undefined>;
  /** Deletes a job with all its data and its pending notification. */
  remove(id: string): Promise<void>;
  /**
   * Aborts all jobs of an account, then deletes them with their data, and last the account if it is closed. Continues in the
   * background when nobody waits for it; for a closed account, also after a restart.
   */
  removeAll(accountId: string): Promise<void>;
  /** Counts the jobs of an account. */
  count(accountId: string): Promise<number>;
  /** Takes no more jobs of the queue, aborts the running ones, and resolves when they are queued again. */
  giveBack(): Promise<void>;
  /** Resolves when all jobs that ended are saved. */
  close(): Promise<void>;
}

/** The jobs of a service without persistence: they run and leave no data. */
export const discardedJobs: Jobs = {
  submit: async () => Promise.reject(new Error('Cannot submit a job: this service stores no jobs.')),
  start: () => ({ end: () => {} }),
  find: async () => undefined,
  ended: async () => undefined,
  list: async () => [],
  countInProgress: async () => 0,
  result: async () => undefined,
  remove: async () => {},
  removeAll: async () => {},
  count: async () => 0,
  human: {
    waiting: async () => [],
    find: async () => undefined,
    claim: async () => undefined,
    release: async () => false,
    finish: async () => false,
  },
  giveBack: async () => {},
  close: async () => {},
};
