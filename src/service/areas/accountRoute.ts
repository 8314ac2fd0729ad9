import type { FastifyInstance } from 'fastify';
import type { Account } from '../../protocol/jobs.ts';
import type { Accounts } from '../accounts/accounts.ts';
import { ProblemError } from '../problems.ts';

/** GET of the account that asks. */
export function accountRoute(
  app: FastifyInstance,
  prefix: string,
  { accounts }: { readonly accounts: Accounts },
): void {
  app.get(
    `${prefix}/account`,
    { config: { operation: { action: 'account' } } },
    async ({ accountId }): Promise<Account> => {
      const account = await accounts.find(accountId);
      if (!account) throw new ProblemError('unauthorized');
      return { email: account.email, balance_seconds: Math.max(0, Math.floor(account.balanceSeconds)) };
    },
  );
}
