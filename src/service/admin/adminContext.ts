import type { FastifyBaseLogger, FastifyRequest } from 'fastify';
import type { Clock } from '../../base/clock.ts';
import type { AccountRecord, Administration } from '../accounts/administration.ts';
import type { Jobs } from '../jobs/jobs.ts';
import type { AccountLimits, HttpLimits } from '../limits.ts';
import { ProblemError } from '../problems.ts';

/** What administration stands on. */
export interface AdminContext {
  readonly administration: Administration;
  readonly jobs: Jobs;
  readonly accountLimits: AccountLimits;
  readonly limits: HttpLimits;
  /** Resolves when the store is open. */
  readonly opened: Promise<unknown>;
  readonly clock: Clock;
  readonly logger: FastifyBaseLogger;
}

/** The account that a path names, by its id or its e-mail address. */
export async function requireAccount(
  { administration }: AdminContext,
  idOrEmail: string,
): Promise<AccountRecord> {
  const account = await administration.find(idOrEmail);
  if (account) return account;
  throw new ProblemError('notFound', { detail: 'There is no such account' });
}

/** Says in the log what an operator did: ids and numbers, nothing secret and nothing private. */
export function audit(
  { log }: FastifyRequest,
  action: string,
  details: Readonly<Record<string, string | number | boolean | readonly string[]>>,
): void {
  log.info({ action, ...details }, 'administration');
}
