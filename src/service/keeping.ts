import { RxscribeError } from '../base/errors.ts';
import type { Accounts } from './accounts/accounts.ts';
import type { Administration } from './accounts/administration.ts';
import { forgottenJobs, type Jobs } from './jobs/jobs.ts';

/** Who may use a service and what becomes of the jobs: in a store, or not kept at all. */
export interface Keeping {
  readonly accounts: Accounts;
  readonly jobs: Jobs;
  /** Absent when the accounts are kept elsewhere. */
  readonly administration?: Administration;
  /** A path for a file that is being uploaded; a job takes it over, or whoever asked removes it. */
  openUpload(): Promise<string>;
  /** Rejects when the store cannot be opened. */
  readonly opened: Promise<unknown>;
  readonly initialToken: Promise<string | undefined>;
  /** Writes what is to be kept. */
  close(): Promise<void>;
}

/** Keeps nothing. */
export function keepNothing(accounts: Accounts): Keeping {
  return {
    accounts,
    jobs: { ...forgottenJobs, submit: keepsNoJobs },
    openUpload: keepsNoJobs,
    opened: Promise.resolve(),
    initialToken: Promise.resolve(undefined),
    close: () => accounts.close(),
  };
}

async function keepsNoJobs(): Promise<never> {
  throw new RxscribeError('unavailable', 'submit job: this service keeps no jobs');
}
