import type { JobOutcome, JobRecord } from './record.ts';

/** What is known of a job when it begins. */
export type NewJob = Pick<
  JobRecord,
  'accountId' | 'type' | 'language' | 'metadata' | 'deleteAfterSeconds'
> & { readonly id: string };

/** A job that this process runs. */
export interface RunningJob {
  /** Ends the job, in the background; whoever asks for it from now on sees the end. Once; later calls do nothing. */
  end(outcome: JobOutcome, result?: string): void;
}

/** The jobs of a service, whatever they do: a record each, and a result beside it. */
export interface Jobs {
  /** Begins a job; its record is written in the background. Never waits. */
  start(job: NewJob): RunningJob;
  /** A job of an account; undefined when it has none of that id, or no longer. */
  find(accountId: string, id: string): Promise<JobRecord | undefined>;
  /** What a job that is done produced. */
  result(id: string): Promise<string | undefined>;
  /** Deletes a job with all its data. */
  remove(id: string): Promise<void>;
  /** Resolves when everything that ended is written. */
  close(): Promise<void>;
}

/** For a service that keeps nothing: jobs run, and are gone. */
export const forgottenJobs: Jobs = {
  start: () => ({ end: () => {} }),
  find: async () => undefined,
  result: async () => undefined,
  remove: async () => {},
  close: async () => {},
};
