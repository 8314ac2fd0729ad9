import type { JobRecord } from '../store/jobRecord.ts';

/** The input and environment of a task. */
export interface TaskContext {
  /** Submitted data besides the record. */
  readonly input: unknown;
  /** Path of the media, uploaded or kept by an earlier run; absent when there is none. */
  readonly media?: string;
  /** Directory for temporary files, removed when the task ends. */
  readonly directory: string;
  /** Aborted when the service stops; the job then runs again later. */
  readonly signal: AbortSignal;
  /**
   * Keeps a file of the directory as the media of the job, so that a further run need not download it again. The name
   * becomes that of the job, unless it has one.
   *
   * @returns the new path
   */
  keepMedia(path: string, name?: string): Promise<string>;
  /** Keeps a file of the directory under a name until the job ends, for the person who finishes it. */
  keepFile(name: string, path: string): Promise<void>;
  /**
   * Holds credit for the whole job once its length is known.
   *
   * @throws JobFailedError `insufficient_balance`
   */
  reserve(seconds: number): Promise<void>;
  /** Reports the progress, from 0 to 1. May be called at any rate. */
  progress(fraction: number): void;
}

/** The outcome of a task. */
export interface TaskResult {
  /** Seconds of media, which are the cost of the job. Default: no cost. */
  readonly durationSeconds?: number;
  readonly language?: string;
  readonly findings?: Readonly<Record<string, unknown>>;
  /** Texts by name, such as `transcript`. */
  readonly results: Readonly<Record<string, string>>;
  /** True when a person has to finish the job. Default false. */
  readonly waits?: boolean;
  /** True when the job uses no credit, whatever its media. Default false. */
  readonly isFree?: boolean;
}

/**
 * The work of a job. It may run again from the start when the service was killed, so it must be idempotent.
 *
 * Throws JobFailedError with a message for users; any other error is a fault of the service.
 */
export type Task = (job: JobRecord, context: TaskContext) => Promise<TaskResult>;

/** Tasks by the type of the job. */
export type Tasks = Readonly<Record<string, Task>>;

/** An error that fails a job with a reason for its user. */
export class JobFailedError extends Error {
  /** A failure code of the interface. */
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
