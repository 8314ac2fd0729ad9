import type { FastifyInstance } from 'fastify';
import { RxscribeError } from '../../base/errors.ts';
import { withTimeout } from '../../base/wait/withTimeout.ts';
import {
  AccountListQuerySchema,
  type AccountRemovalJson,
  CreditSchema,
  NewAccountSchema,
  NewTokenSchema,
  SettingsChangeSchema,
} from '../../protocol/admin.ts';
import { LIST_LIMIT } from '../../protocol/limits.ts';
import { fromWire } from '../../protocol/wireNames.ts';
import { OWNER_ID } from '../accounts/firstAccount.ts';
import { createToken } from '../accounts/tokens.ts';
import { readBody } from '../areas/readBody.ts';
import { readQuery } from '../areas/readSubmission.ts';
import { invalidParameters, ProblemError } from '../problems.ts';
import { type AdminContext, audit, requireAccount } from './adminContext.ts';
import { accountView, settingsView, tokenView } from './views.ts';

/** Milliseconds after which the deletion of an account is answered with its progress. */
const REMOVAL_ANSWER_MS = 5000;

interface OneAccount {
  readonly Params: { readonly account: string };
}

/** Adds the routes of accounts, their credit and their settings. */
export function accountRoutes(app: FastifyInstance, context: AdminContext): void {
  const { administration, accountLimits } = context;

  app.get('/accounts', async ({ query }) => {
    const { limit = LIST_LIMIT.default, starting_after } = readQuery(AccountListQuerySchema, query);
    const accounts = await administration.list(limit, starting_after);
    return accounts.map(account => accountView(account, accountLimits));
  });

  app.post('/accounts', async request => {
    const { email, credit_seconds = 0 } = readBody(NewAccountSchema, request.body);
    const account = await administration.create(email, credit_seconds);
    if (!account) throw emailTaken();
    audit(request, 'create account', { account: account.id, creditSeconds: credit_seconds });
    return accountView(account, accountLimits);
  });

  app.get<OneAccount>('/accounts/:account', async ({ params }) =>
    accountView(await requireAccount(context, params.account), accountLimits),
  );

  app.delete<OneAccount>('/accounts/:account', async (request, reply) => {
    const { id } = await requireAccount(context, request.params.account, { orClosed: true });
    if (id === OWNER_ID) {
      throw invalidParameters({ account: ['is the first account, which each start creates again'] });
    }
    // No new data arrives from now on; streams end when their token is found revoked.
    await administration.close(id);
    audit(request, 'delete account', { account: id });
    try {
      await withTimeout(context.jobs.removeAll(id), { clock: context.clock, timeoutMs: REMOVAL_ANSWER_MS });
      return reply.code(204).send();
    } catch (error) {
      if (!(error instanceof RxscribeError && error.code === 'timeout')) throw error;
      return reply.code(202).send({ jobs: await context.jobs.count(id) } satisfies AccountRemovalJson);
    }
  });

  app.post<OneAccount>('/accounts/:account/credit', async request => {
    const { id } = await requireAccount(context, request.params.account);
    const { seconds } = readBody(CreditSchema, request.body);
    await administration.addCredit(id, seconds);
    audit(request, 'add credit', { account: id, seconds });
    return accountView(await requireAccount(context, id), accountLimits);
  });

  settingsRoutes(app, context);
}

function settingsRoutes(app: FastifyInstance, context: AdminContext): void {
  const { administration, accountLimits } = context;

  app.get<OneAccount>('/accounts/:account/settings', async ({ params }) =>
    settingsView(await requireAccount(context, params.account), accountLimits),
  );

  app.patch<OneAccount>('/accounts/:account/settings', async request => {
    const { id } = await requireAccount(context, request.params.account);
    const json = readBody(SettingsChangeSchema, request.body);
    const { signingSecret: wanted, ...settings } = fromWire(SettingsChangeSchema, json);
    const signingSecret = wanted === 'new' ? createToken() : wanted;
    if (!(await administration.change(id, { ...settings, signingSecret }))) throw emailTaken();
    const { limits = {}, ...others } = json;
    audit(request, 'change settings', { account: id, changed: Object.keys({ ...others, ...limits }) });
    const view = settingsView(await requireAccount(context, id), accountLimits);
    return { ...view, signing_secret: signingSecret ?? undefined };
  });
}

function emailTaken(): ProblemError {
  return invalidParameters({ email: ['has an account already'] });
}

interface OneToken {
  readonly Params: { readonly account: string; readonly token: string };
}

/** Adds the routes of the tokens of an account. A new token is valid besides the others until they are revoked. */
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
      throw new ProblemError('notFound', { detail: 'The account has no such token.' });
    }
    audit(request, 'revoke token', { account: id, tokenId });
    return reply.code(204).send();
  });
}
