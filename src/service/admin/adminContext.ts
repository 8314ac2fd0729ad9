import type { FastifyBaseLogger, FastifyRequest } from 'fastify';
import type { Clock } from '../../base/clock.ts';
import type { AccountRecord, Administration } from '../accounts/storedAdministration.ts';
import type { Desk } from '../desk/desk.ts';
import type { Jobs } from '../jobs/jobs.ts';
import type { AccountLimits, HttpLimits } from '../limits.ts';
import { ProblemError } from '../problems.ts';
import type { Region } from '../region.ts';

/** Dependencies of the administration routes. */
export interface AdminContext {
  readonly administration: Administration;
  readonly jobs: Jobs;
  readonly desk: Desk;
  readonly region: Region;
  readonly accountLimits: AccountLimits;
  readonly limits: HttpLimits;
  /** Resolves when the store is open. */
  readonly opened: Promise<unknown>;
  readonly clock: Clock;
  readonly logger: FastifyBaseLogger;
}

/** Returns the account named by a path, by its id or e-mail address; a closed one only on request. */
export async function requireAccount(
  { administration }: AdminContext,
  idOrEmail: string,
  { orClosed = false }: { readonly orClosed?: boolean } = {},
): Promise<AccountRecord> {
  const account = await administration.find(idOrEmail);
  if (account && (orClosed || !account.removedOn)) return account;
  const detail = account ? 'The account is being deleted.' : 'There is no such account.';
  throw new ProblemError('notFound', { detail });
}

/** Logs the action of an operator: ids and numbers only, nothing secret or private. */
export function audit(
  { log }: FastifyRequest,
  action: string,
  details: Readonly<Record<string, string | number | boolean | readonly string[]>>,
): void {
  log.info({ action, ...details }, 'administration');
}
