import type { FastifyBaseLogger } from 'fastify';
import type { Clock } from '../base/clock.ts';
import type { Accounts } from './accounts.ts';
import { forgottenJobs, type Jobs } from './jobs/jobs.ts';
import { createStoredJobs } from './jobs/storedJobs.ts';
import { openStore } from './store/store.ts';
import { createStoredAccounts } from './storedAccounts.ts';
import { within } from './within.ts';

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

/** For what is still to be written when a service stops: a store that is not there must not hold it. */
const CLOSE_TIMEOUT_MS = 10_000;

export interface KeepingOptions {
  readonly dataDirectory?: string;
  readonly databaseUrl?: string;
  readonly token?: string;
  readonly clock: Clock;
  readonly logger: FastifyBaseLogger;
}

/**
 * Keeps everything in a store.
 *
 * @throws RxscribeError `store`, `invalid-argument`
 */
export function keepInStore({ logger, ...options }: KeepingOptions): Keeping {
  const { clock, token } = options;
  const onError = (error: unknown) => logger.error({ err: error }, 'store');
  const store = openStore({ ...options, onError });
  const accounts = createStoredAccounts({ opened: store.opened, token, clock, onError });
  const jobs = createStoredJobs({ opened: accounts.prepared, clock, onError });
  return {
    accounts,
    jobs,
    opened: accounts.prepared,
    initialToken: accounts.initialToken,
    async close() {
      await within(CLOSE_TIMEOUT_MS, Promise.all([jobs.close(), accounts.close()]), clock);
      await store.close();
    },
  };
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
