import type { FastifyInstance } from 'fastify';
import { NewTokenSchema } from '../../protocol/admin.ts';
import { ProblemError } from '../problems.ts';
import { type AdminContext, audit, requireAccount } from './adminContext.ts';
import { readBody } from './readBody.ts';
import { tokenView } from './views.ts';

interface OneAccount {
  readonly Params: { readonly account: string };
}

interface OneToken {
  readonly Params: { readonly account: string; readonly token: string };
}

/** The tokens of an account. A new one stands beside the others until they are revoked. */
export function tokenRoutes(app: FastifyInstance, context: AdminContext): void {
  const { administration } = context;

  app.get<OneAccount>('/accounts/:account/tokens', async ({ params }) => {
    const { id } = await requireAccount(context, params.account);
    return (await administration.listTokens(id)).map(tokenView);
  });

  app.post<OneAccount>('/accounts/:account/tokens', async request => {
    const { id } = await requireAccount(context, request.params.account);
    const { name } = readBody(NewTokenSchema, request.body);
    const { token, ...record } = await administration.createToken(id, name);
    audit(request, 'create token', { account: id, tokenId: record.id });
    return { ...tokenView(record), token };
  });

  app.delete<OneToken>('/accounts/:account/tokens/:token', async (request, reply) => {
    const { id } = await requireAccount(context, request.params.account);
    const tokenId = request.params.token;
    if (!(await administration.revokeToken(id, tokenId))) {
      throw new ProblemError('notFound', { detail: 'The account has no such token' });
    }
    audit(request, 'revoke token', { account: id, tokenId });
    return reply.code(204).send();
  });
}
