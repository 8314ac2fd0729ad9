import type { FastifyInstance } from 'fastify';
import type { Clock } from '../../base/clock.ts';
import type { Accounts } from '../accounts/accounts.ts';
import type { Administration } from '../accounts/storedAdministration.ts';
import { noJobs } from '../areas/noJobs.ts';
import type { Desk } from '../desk/desk.ts';
import { inScope } from '../http/inScope.ts';
import { discardedJobs, type Jobs } from '../jobs/jobs.ts';
import { createLocalLimits, type SharedLimits } from '../rateLimits/rateLimits.ts';
import { accountRoutes, openRoutes, type RoutesOptions } from '../routes.ts';
import { createStreamTokens, localGrants, type StreamTokens } from '../streamTokens/streamTokens.ts';

/** The accounts and jobs of a service, with or without a store behind them. */
export interface Persistence {
  readonly accounts: Accounts;
  readonly streamTokens: StreamTokens;
  readonly jobs: Jobs;
  /** Limits that the processes of the service share. */
  readonly limits: SharedLimits;
  /** Absent when the accounts come from elsewhere. */
  readonly administration?: Administration;
  /** Absent without a store. */
  readonly desk?: Desk;
  /** Returns a path for a file being uploaded. A job takes the file over, or the caller removes it. */
  openUpload(): Promise<string>;
  /** Names of the parts that are missing, such as the database; empty when there are none. */
  missing(): readonly string[];
  /** Adds all HTTP routes. */
  addRoutes(app: FastifyInstance, options: RoutesOptions): void;
  /** Rejects when the store cannot be opened. */
  readonly opened: Promise<unknown>;
  readonly initialToken: Promise<string | undefined>;
  /** Takes no more jobs and queues the running ones again, for another process or the next start. Never rejects. */
  giveBack(): Promise<void>;
  /** Saves pending data, then closes accounts and store. */
  close(): Promise<void>;
}

/** Returns the persistence of a service without a store: sessions are forgotten when they end. */
export function withoutPersistence(accounts: Accounts, clock: Clock): Persistence {
  return {
    accounts,
    streamTokens: createStreamTokens(accounts, localGrants(accounts), clock),
    limits: createLocalLimits(clock),
    jobs: discardedJobs,
    openUpload: async () =>
      Promise.reject(new Error('Cannot accept an upload: this service stores no jobs.')),
    missing: () => [],
    addRoutes(app, options) {
      inScope(app, scope => openRoutes(scope, options));
      inScope(app, async scope => {
        accountRoutes(scope, options);
        noJobs(scope, options);
      });
    },
    opened: Promise.resolve(),
    initialToken: Promise.resolve(undefined),
    giveBack: async () => {},
    close: () => accounts.close(),
  };
}
