import cookie from '@fastify/cookie';
import type { FastifyInstance } from 'fastify';
import { DESK_API_PREFIX, DESK_PREFIX } from '../../../protocol/desk.ts';
import { assetRoute, sendDocument } from '../../frontPage/pageRoutes.ts';
import { inScope } from '../../http/inScope.ts';
import type { HttpLimits } from '../../limits.ts';
import { HIDDEN } from '../../openApi/openOperations.ts';
import { ProblemError } from '../../problems.ts';
import type { Desk } from '../desk.ts';
import { readDeskFigures } from '../deskFigures.ts';
import { audioRoute } from './audioRoute.ts';
import { requireAdmin, requireSession } from './deskRequest.ts';
import { jobRoutes } from './jobRoutes.ts';
import { logInRoute, sessionRoutes } from './sessionRoutes.ts';

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
  api.all('/*', HIDDEN, async () => {
    throw new ProblemError('notFound');
  });
}

function pageRoutes(app: FastifyInstance): void {
  app.get(DESK_PREFIX, HIDDEN, async (request, reply) => {
    // The addresses of the page are relative, for a service behind a proxy with a path.
    const [path = ''] = request.url.split('?');
    if (!path.endsWith('/')) return reply.redirect(`.${DESK_PREFIX}/`);
    return sendDocument(request, reply, 'desk', { policy: ["media-src 'self'"] });
  });
  assetRoute(app, DESK_PREFIX);
}

/** Adds the routes of admins of the desk. */
export function adminRoutes(app: FastifyInstance, { users, trail, context }: Desk): void {
  app.get('/events', HIDDEN, () => trail.events());
  app.get('/proposals', HIDDEN, () => trail.proposals());
  app.get('/users', HIDDEN, () => users.list());
  app.get('/figures', HIDDEN, () => readDeskFigures(context));
}
