import type { Accounts } from './accounts/accounts.ts';
import { forgottenJobs, type Jobs } from './jobs/jobs.ts';

/** Who may use a service and what becomes of the jobs: in a store, or not kept at all. */
export interface Keeping {
  readonly accounts: Accounts;
  readonly jobs: Jobs;
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
    jobs: forgottenJobs,
    opened: Promise.resolve(),
    initialToken: Promise.resolve(undefined),
    close: () => accounts.close(),
  };
}
