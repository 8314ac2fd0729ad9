import { randomBytes } from 'node:crypto';
import cookie from '@fastify/cookie';
import type { FastifyInstance, FastifyReply } from 'fastify';
import { RxscribeError } from '../../../base/errors.ts';
import { DESK_API_PREFIX, DESK_PREFIX } from '../../../protocol/desk.ts';
import { type PageResponse, pagesAt } from '../../../web/pageFiles.ts';
import { inScope } from '../../http/inScope.ts';
import type { HttpLimits } from '../../limits.ts';
import { ProblemError } from '../../problems.ts';
import type { Desk } from '../desk.ts';
import { audioRoute } from './audioRoute.ts';
import { requireAdmin, requireSession } from './deskRequest.ts';
import { jobRoutes } from './jobRoutes.ts';
import { logInRoute, sessionRoutes } from './sessionRoutes.ts';

/** The page. The same place from `src` and from `dist`. */
const pages = pagesAt(URL.parse('../../../../dist/pages/', import.meta.url));

export interface DeskRoutesOptions {
  readonly desk: Desk;
  readonly limits: HttpLimits;
}

/** Adds the page of the desk and its calls. Without a session, the calls answer 401. */
export async function deskRoutes(app: FastifyInstance, options: DeskRoutesOptions): Promise<void> {
  const { desk } = options;
  await app.register(cookie);
  app.addHook('onSend', async (_request, reply) => {
    // Answers of the calls have text of customers.
    if (!reply.hasHeader('cache-control')) reply.header('cache-control', 'no-store');
    reply.header('x-content-type-options', 'nosniff');
  });
  pageRoutes(app);
  logInRoute(app, desk);
  inScope(app, scope => {
    requireSession(scope, desk);
    audioRoute(scope, desk);
    inScope(scope, api => apiRoutes(api, options), DESK_API_PREFIX);
  });
}

function apiRoutes(api: FastifyInstance, options: DeskRoutesOptions): void {
  const { desk } = options;
  sessionRoutes(api, desk);
  jobRoutes(api, desk, options.limits);
  inScope(api, admin => {
    requireAdmin(admin);
    adminRoutes(admin, desk);
  });
  // Also without a session, a call that does not exist answers 401.
  api.all('/*', { schema: { hide: true } }, async () => {
    throw new ProblemError('notFound');
  });
}

function pageRoutes(app: FastifyInstance): void {
  const schema = { hide: true } as const;
  app.get(DESK_PREFIX, { schema }, async (request, reply) => {
    // The addresses of the page are relative, for a service behind a proxy with a path.
    const [path = ''] = request.url.split('?');
    if (!path.endsWith('/')) return reply.redirect(`.${DESK_PREFIX}/`);
    const styleNonce = randomBytes(16).toString('base64');
    const options = { styleNonce, policy: ["media-src 'self'"] };
    return send(
      reply,
      builtOrUnavailable(() => pages.document(request, 'desk', options)),
    );
  });
  app.get<{ Params: { '*': string } }>(`${DESK_PREFIX}/assets/*`, { schema }, async (request, reply) => {
    const asset = builtOrUnavailable(() => pages.asset(request, `assets/${request.params['*']}`));
    if (!asset) throw new ProblemError('notFound');
    return send(reply, asset);
  });
}

/** @throws ProblemError `unavailable` when the page is not built */
function builtOrUnavailable<T>(read: () => T): T {
  try {
    return read();
  } catch (error) {
    if (!(error instanceof RxscribeError)) throw error;
    throw new ProblemError('unavailable', { detail: error.message });
  }
}

function send(reply: FastifyReply, { headers, body }: PageResponse): FastifyReply {
  return reply.headers(headers).serializer(String).send(body);
}

const schema = { hide: true } as const;

/** Adds the routes of admins of the desk. */
export function adminRoutes(app: FastifyInstance, { users, trail }: Desk): void {
  app.get('/events', { schema }, () => trail.events());
  app.get('/proposals', { schema }, () => trail.proposals());
  app.get('/users', { schema }, () => users.list());
}
