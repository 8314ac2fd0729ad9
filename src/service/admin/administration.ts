import type { FastifyInstance, FastifyPluginAsync } from 'fastify';
import { withTimeout } from '../../base/wait/withTimeout.ts';
import { ADMIN_PREFIX } from '../../protocol/interfaceNames.ts';
import type { Administration } from '../accounts/accounts.ts';
import { closeHttp, createHttpApp, type HttpAppOptions } from '../http/httpApp.ts';
import { ProblemError } from '../problems.ts';
import { STORE_WAIT_MS } from '../rateLimits/admitRequests.ts';
import type { AuthenticationThrottle } from '../rateLimits/authenticationThrottle.ts';
import { accountRoutes, tokenRoutes } from './accountRoutes.ts';
import type { AdminContext } from './adminContext.ts';
import { listenOnAdminSocket } from './adminSocket.ts';
import { adminTokenGuard } from './adminToken.ts';
import { humanJobRoutes } from './humanJobRoutes.ts';

export interface AdministrationOptions extends Omit<AdminContext, 'administration'>, HttpAppOptions {
  /** Absent when there are no accounts in a store. */
  readonly administration?: Administration;
  /** Enables administration over the network. */
  readonly adminToken?: string;
  /** Enables administration over a socket in this directory. */
  readonly dataDirectory?: string;
  readonly throttle: AuthenticationThrottle;
  /** Milliseconds for requests in progress when the service stops. */
  readonly closeTimeoutMs: number;
}

/** Opens the listeners for operators. They exist while the service is ready. */
export function attachAdministration(app: FastifyInstance, options: AdministrationOptions): void {
  const { administration, adminToken, dataDirectory, throttle } = options;
  if (!administration) return;
  const context = { ...options, administration };
  if (adminToken !== undefined) {
    const routes = adminRoutes(context, adminTokenGuard(adminToken, throttle));
    app.register(routes, { prefix: ADMIN_PREFIX });
  }
  if (dataDirectory !== undefined) attachSocket(app, dataDirectory, context);
}

function attachSocket(
  app: FastifyInstance,
  dataDirectory: string,
  options: AdministrationOptions & AdminContext,
): void {
  const { logger, clock, closeTimeoutMs } = options;
  // An app of its own, so that the socket serves nothing but administration.
  const socketApp = createHttpApp(options);
  socketApp.register(adminRoutes(options), { prefix: ADMIN_PREFIX });
  let removeSocket = async () => {};
  app.addHook('onReady', async () => {
    try {
      removeSocket = await listenOnAdminSocket(socketApp, dataDirectory);
    } catch (error) {
      logger.warn(
        { err: error },
        'administration over a socket is not available; an admin token enables it over the network',
      );
    }
  });
  app.addHook('onClose', async () => {
    await removeSocket();
    await closeHttp(socketApp, closeTimeoutMs, clock);
  });
}

/**
 * Returns the routes of administration.
 *
 * @param guard adds a hook that refuses unauthorised requests
 */
function adminRoutes(
  context: AdminContext,
  guard: (app: FastifyInstance) => void = () => {},
): FastifyPluginAsync {
  return async app => {
    guard(app);
    app.addHook('onRequest', async ({ params }) => {
      // No id contains it, and the database refuses to compare it.
      if (Object.values(params as object).some(part => part.includes('\0')))
        throw new ProblemError('notFound');
      await withTimeout(context.opened, { clock: context.clock, timeoutMs: STORE_WAIT_MS });
    });
    accountRoutes(app, context);
    tokenRoutes(app, context);
    humanJobRoutes(app, context);
  };
}
