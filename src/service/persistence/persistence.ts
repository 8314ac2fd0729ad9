import type { FastifyInstance } from 'fastify';
import type { Accounts, Administration } from '../accounts/accounts.ts';
import { noJobs } from '../areas/noJobs.ts';
import { discardedJobs, type Jobs } from '../jobs/jobs.ts';
import { accountRoutes, openRoutes, type RoutesOptions } from '../routes.ts';

/** The accounts and jobs of a service, with or without a store behind them. */
export interface Persistence {
  readonly accounts: Accounts;
  readonly jobs: Jobs;
  /** Absent when the accounts come from elsewhere. */
  readonly administration?: Administration;
  /** Returns a path for a file being uploaded. A job takes the file over, or the caller removes it. */
  openUpload(): Promise<string>;
  /** Names of the parts that are unreachable, such as the database; empty when there are none. */
  missing(): readonly string[];
  /** Adds all HTTP routes. */
  addRoutes(app: FastifyInstance, options: RoutesOptions): void;
  /** Rejects when the store cannot be opened. */
  readonly opened: Promise<unknown>;
  readonly initialToken: Promise<string | undefined>;
  /** Saves pending data, then closes accounts and store. */
  close(): Promise<void>;
}

/** Returns the persistence of a service without a store: sessions are forgotten when they end. */
export function withoutPersistence(accounts: Accounts): Persistence {
  return {
    accounts,
    jobs: discardedJobs,
    openUpload: async () =>
      Promise.reject(new Error('Cannot accept an upload: this service stores no jobs.')),
    missing: () => [],
    addRoutes(app, options) {
      app.register(async scope => openRoutes(scope, options));
      app.register(async scope => {
        accountRoutes(scope, options);
        noJobs(scope, options);
      });
    },
    opened: Promise.resolve(),
    initialToken: Promise.resolve(undefined),
    close: () => accounts.close(),
  };
}
