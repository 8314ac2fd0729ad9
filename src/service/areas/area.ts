import type { BrandNames } from '../../protocol/brand.ts';
import type { Accounts } from '../accounts/accounts.ts';
import type { Jobs } from '../jobs/jobs.ts';

/** A part of the interface whose jobs have the same views. */
export interface Area {
  readonly prefix: string;
  /** What its jobs call their state when they ended well. */
  readonly doneWord: string;
}

/** What the routes of every area stand on. */
export interface AreaContext {
  readonly accounts: Accounts;
  readonly jobs: Jobs;
  readonly names: BrandNames;
}

declare module 'fastify' {
  interface FastifyRequest {
    /** The account whose token the request carries; empty before that is known, and on routes for everybody. */
    accountId: string;
  }
}
