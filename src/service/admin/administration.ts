import type { FastifyInstance, FastifyPluginAsync } from 'fastify';
import { withTimeout } from '../../base/wait/withTimeout.ts';
import { ADMIN_PREFIX } from '../../protocol/interfaceNames.ts';
import type { Administration } from '../accounts/accounts.ts';
import { closeHttp, createHttpApp, type HttpAppOptions } from '../http/httpApp.ts';
import { ProblemError } from '../problems.ts';
import type { AuthenticationThrottle } from '../rateLimits/authenticationThrottle.ts';
import { accountRoutes, tokenRoutes } from './accountRoutes.ts';
import type { AdminContext } from './adminContext.ts';
import { listenOnAdminSocket } from './adminSocket.ts';
import { adminTokenGuard } from './adminToken.ts';
import { humanJobRoutes } from './humanJobRoutes.ts';

export interface AdministrationOptions extends Omit<AdminContext, 'administration'>, HttpAppOptions {
  /** Absent when there is nothing to administer here. */
  readonly administration?: Administration;
  /** Opens the way over the network, to who has it. */
  readonly adminToken?: string;
  /** Opens the way over a socket in it. */
  readonly dataDirectory?: string;
  readonly throttle: AuthenticationThrottle;
  /** For requests that are under way when the service stops. */
  readonly closeTimeoutMs: number;
}

/** Opens the ways by which operators reach a service; they are there when it is ready, and gone when it is closed. */
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
  // An app of its own: who comes by the socket sees nothing else.
  const socketApp = createHttpApp(options);
  socketApp.register(adminRoutes(options), { prefix: ADMIN_PREFIX });
  let removeSocket = async () => {};
  app.addHook('onReady', async () => {
    try {
      removeSocket = await listenOnAdminSocket(socketApp, dataDirectory);
    } catch (error) {
      logger.warn({ err: error }, 'no administration over a socket; an admin token opens the way by network');
    }
  });
  app.addHook('onClose', async () => {
    await removeSocket();
    await closeHttp(socketApp, closeTimeoutMs, clock);
  });
}

/** A store that is just being opened is waited for. */
const STORE_WAIT_MS = 10_000;

/**
 * All that operators can do.
 *
 * @param guard ends the requests of who may not
 */
export function adminRoutes(
  context: AdminContext,
  guard: (app: FastifyInstance) => void = () => {},
): FastifyPluginAsync {
  return async app => {
    guard(app);
    app.addHook('onRequest', async ({ params }) => {
      // No id has it, and a database does not even compare it.
      if (Object.values(params as object).some(part => part.includes('\0')))
        throw new ProblemError('notFound');
      await withTimeout(context.opened, { clock: context.clock, timeoutMs: STORE_WAIT_MS });
    });
    accountRoutes(app, context);
    tokenRoutes(app, context);
    humanJobRoutes(app, context);
  };
}
