import type { JobOutcome, JobRecord } from '../store/jobRecord.ts';

/** What is known of a job when it begins. */
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
  > {
  /** Kept until it is deleted, whatever the account says. Default false. */
  readonly isPermanent?: boolean;
}

/** A job that waits to be run. */
export interface Submission extends NewJob {
  /** What its task needs beyond the record; JSON. Gone when the job has ended. */
  readonly input?: unknown;
  /** Path of a file that was uploaded; the job takes it over. */
  readonly media?: string;
  /** Credit to hold, as far as the length is known; rounded up to whole seconds. 0 for what costs nothing. */
  readonly reserveSeconds: number;
}

/** A job that this process runs without the queue. */
export interface RunningJob {
  /** Ends the job, in the background; whoever asks for it from now on sees the end. Once; later calls do nothing. */
  end(outcome: JobOutcome, results?: Readonly<Record<string, string>>): void;
}

/** Which jobs of an account a list shows. */
export interface JobFilter {
  readonly types: readonly string[];
  /** Only jobs that were created then or later. */
  readonly since?: Date;
  /** Only jobs that come after this one, which is of the same account and types; it may have been deleted since. */
  readonly startingAfter?: string;
  readonly limit: number;
}

/** A submission that the account has no credit for. */
export class OutOfCreditError extends Error {
  readonly balanceSeconds: number;

  constructor(balanceSeconds: number) {
    super('out of credit');
    this.balanceSeconds = balanceSeconds;
  }
}

/** A job as who works on it sees it. */
export interface JobWithInput {
  readonly record: JobRecord;
  /** What was submitted beyond the record; undefined when the job has ended. */
  readonly input: unknown;
}

/** Jobs that people finish, of all accounts. They have their machine results, and their media as long as they wait. */
export interface HumanJobs {
  /** Jobs that wait, urgent ones first, then in the order in which they began. Also those that somebody has claimed. */
  waiting(options: { readonly limit: number }): Promise<readonly JobRecord[]>;
  /** A job of any account, whether it waits or not. */
  find(id: string): Promise<JobWithInput | undefined>;
  /**
   * Gives a job that waits to one person for a while; again to the same one for longer.
   *
   * @returns undefined when there is none of that id, or when another person has it
   */
  claim(id: string, person: string, seconds: number): Promise<JobRecord | undefined>;
  /** Gives a job back that a person has claimed. */
  release(id: string, person: string): Promise<void>;
  /**
   * Ends a job that waits, whoever has claimed it.
   *
   * @param results replace those of the machine, name by name
   * @returns false when it does not wait, or no longer
   */
  finish(id: string, outcome: JobOutcome, results?: Readonly<Record<string, string>>): Promise<boolean>;
}

/** The jobs of a service, whatever they do: a record each, and results beside it. */
export interface Jobs {
  readonly human: HumanJobs;
  /**
   * Takes a job; when this resolves it is on the disk and will run.
   *
   * @throws OutOfCreditError
   */
  submit(submission: Submission): Promise<JobRecord>;
  /** Begins a job that this process runs itself; its record is written in the background. Never waits. */
  start(job: NewJob): RunningJob;
  /** A job of an account; undefined when it has none of that id, or no longer. */
  find(accountId: string, id: string): Promise<JobRecord | undefined>;
  /** Newest first; undefined when there is no job to start after. */
  list(accountId: string, filter: JobFilter): Promise<readonly JobRecord[] | undefined>;
  /** Jobs of an account that are in progress; counting ends at the limit. */
  countInProgress(accountId: string, limit: number): Promise<number>;
  /** What a job produced under a name. */
  result(id: string, name: string): Promise<string | undefined>;
  /** Deletes a job with all its data, be its notification delivered or not. */
  remove(id: string): Promise<void>;
  /** Deletes every job of an account with all its data, also those that run. */
  removeAll(accountId: string): Promise<void>;
  /** Resolves when everything that ended is written. */
  close(): Promise<void>;
}

/** For a service that keeps nothing: jobs run, and are gone. */
export const discardedJobs: Jobs = {
  submit: async () => Promise.reject(new Error('submit job: this service keeps no jobs')),
  start: () => ({ end: () => {} }),
  find: async () => undefined,
  list: async () => [],
  countInProgress: async () => 0,
  result: async () => undefined,
  remove: async () => {},
  removeAll: async () => {},
  human: {
    waiting: async () => [],
    find: async () => undefined,
    claim: async () => undefined,
    release: async () => {},
    finish: async () => false,
  },
  close: async () => {},
};
