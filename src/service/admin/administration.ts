import type { FastifyInstance } from 'fastify';
import { ADMIN_PREFIX } from '../../protocol/paths.ts';
import type { Administration } from '../accounts/administration.ts';
import { closeHttp } from '../closeHttp.ts';
import { createHttpApp, type HttpAppOptions } from '../http.ts';
import type { Doorkeeper } from '../rateLimits/doorkeeper.ts';
import type { AdminContext } from './adminContext.ts';
import { adminRoutes } from './adminRoutes.ts';
import { listenOnAdminSocket } from './adminSocket.ts';
import { adminTokenGuard } from './adminToken.ts';

export interface AdministrationOptions extends Omit<AdminContext, 'administration'>, HttpAppOptions {
  /** Absent when there is nothing to administer here. */
  readonly administration?: Administration;
  /** Opens the way over the network, to who has it. */
  readonly adminToken?: string;
  /** Opens the way over a socket in it. */
  readonly dataDirectory?: string;
  readonly doorkeeper: Doorkeeper;
  /** For requests that are under way when the service stops. */
  readonly closeTimeoutMs: number;
}

/** Opens the ways by which operators reach a service; they are there when it is ready, and gone when it is closed. */
export function attachAdministration(app: FastifyInstance, options: AdministrationOptions): void {
  const { administration, adminToken, dataDirectory, doorkeeper } = options;
  if (!administration) return;
  const context = { ...options, administration };
  if (adminToken !== undefined) {
    const routes = adminRoutes(context, adminTokenGuard(adminToken, doorkeeper));
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
