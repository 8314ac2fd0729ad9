import type { JobRecord } from '../store/jobRecord.ts';

/** What a task has to work with. */
export interface TaskContext {
  /** What was submitted, beyond the record. */
  readonly input: unknown;
  /** Path of the file that was uploaded, or kept by an earlier run; absent when there is none. */
  readonly media?: string;
  /** A directory for files of the task; it is removed when the task has ended. */
  readonly directory: string;
  /** Aborted when the service stops: the job runs again later. */
  readonly signal: AbortSignal;
  /**
   * Keeps a file of the directory as the media of the job, whose name it gives unless there is one: a job that runs again
   * finds it, and need not fetch it again.
   *
   * @returns where it is from now on
   */
  keepMedia(path: string, name?: string): Promise<string>;
  /**
   * Holds credit for all of the job, now that its length is known.
   *
   * @throws JobFailedError `insufficient_balance`
   */
  reserve(seconds: number): Promise<void>;
  /** Tells how much of the work is done, from 0 to 1. As often as one likes. */
  progress(fraction: number): void;
}

/** What a task produced. */
export interface TaskResult {
  /** Seconds of media, which are what the job costs. Default: it costs nothing. */
  readonly durationSeconds?: number;
  readonly language?: string;
  readonly findings?: Readonly<Record<string, unknown>>;
  /** Texts by name, such as `transcript`. */
  readonly results: Readonly<Record<string, string>>;
  /** A person has to finish the job. Default false. */
  readonly waits?: boolean;
}

/**
 * What runs for a job. It may run again from the start, when the service was killed meanwhile: it must do no harm twice.
 *
 * Throws JobFailedError for what the user is to be told; anything else is a fault of the service.
 */
export type Task = (job: JobRecord, context: TaskContext) => Promise<TaskResult>;

/** Tasks by the type of the job. */
export type Tasks = Readonly<Record<string, Task>>;

/** Ends a job as failed, with a reason that its user sees. */
export class JobFailedError extends Error {
  /** One of the words of the interface. */
  readonly failure: string;
  readonly findings: TaskResult['findings'];

  constructor(
    failure: string,
    detail: string,
    { findings, ...options }: ErrorOptions & Pick<TaskResult, 'findings'> = {},
  ) {
    super(detail, options);
    this.failure = failure;
    this.findings = findings;
  }
}
