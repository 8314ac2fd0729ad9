import type { FastifyInstance } from 'fastify';
import type { Accounts, Administration } from '../accounts/accounts.ts';
import { noJobs } from '../areas/noJobs.ts';
import { discardedJobs, type Jobs } from '../jobs/jobs.ts';
import { accountRoutes, openRoutes, type RoutesOptions } from '../routes.ts';

/** Who may use a service and what becomes of the jobs: in a store, or not kept at all. */
export interface Persistence {
  readonly accounts: Accounts;
  readonly jobs: Jobs;
  /** Absent when the accounts are kept elsewhere. */
  readonly administration?: Administration;
  /** A path for a file that is being uploaded; a job takes it over, or whoever asked removes it. */
  openUpload(): Promise<string>;
  /** The parts that are away, such as the database; empty when all is well. */
  missing(): readonly string[];
  /** Adds everything that is answered over HTTP. */
  addRoutes(app: FastifyInstance, options: RoutesOptions): void;
  /** Rejects when the store cannot be opened. */
  readonly opened: Promise<unknown>;
  readonly initialToken: Promise<string | undefined>;
  /** Writes what is to be kept. */
  close(): Promise<void>;
}

/** Keeps nothing. */
export function withoutPersistence(accounts: Accounts): Persistence {
  return {
    accounts,
    jobs: discardedJobs,
    openUpload: async () => Promise.reject(new Error('open upload: this service keeps no jobs')),
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
