import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { AccountSchema } from '../../protocol/jobs.ts';
import { ProblemError } from '../problems.ts';
import type { AreaContext } from './area.ts';

/** GET of the account that asks. */
export function accountRoute({ accounts }: AreaContext): FastifyPluginAsyncTypebox {
  return async app => {
    app.get('/account', { schema: { response: { 200: AccountSchema } } }, async ({ accountId }) => {
      const account = await accounts.find(accountId);
      if (!account) throw new ProblemError('unauthorized');
      return { email: account.email, balance_seconds: Math.max(0, Math.floor(account.balanceSeconds)) };
    });
  };
}
