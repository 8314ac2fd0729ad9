import type { AddressInfo } from 'node:net';
import type { FastifyInstance, FastifyPluginAsync } from 'fastify';
import { withTimeout } from '../../base/wait/withTimeout.ts';
import { ADMIN_PREFIX } from '../../protocol/interfaceNames.ts';
import { hostCheck, isLoopback } from '../../web/requestAddresses.ts';
import type { Administration } from '../accounts/storedAdministration.ts';
import type { Desk } from '../desk/desk.ts';
import { closeHttp, createHttpApp, type HttpAppOptions } from '../http/httpApp.ts';
import { inScope } from '../http/inScope.ts';
import { listenOn } from '../http/listenOn.ts';
import { watchRequests } from '../http/requestsInProgress.ts';
import { ProblemError } from '../problems.ts';
import { STORE_WAIT_MS } from '../rateLimits/admitRequests.ts';
import type { AuthenticationThrottle } from '../rateLimits/authenticationThrottle.ts';
import { healthRoutes } from '../routes.ts';
import { accountRoutes, tokenRoutes } from './accountRoutes.ts';
import type { AdminContext } from './adminContext.ts';
import { listenOnAdminSocket } from './adminSocket.ts';
import { adminTokenGuard } from './adminToken.ts';
import { deskRoutes } from './deskRoutes.ts';
import { humanJobRoutes } from './humanJobRoutes.ts';

export interface AdministrationOptions extends Omit<AdminContext, 'administration' | 'desk'>, HttpAppOptions {
  /** Both are absent when there are no accounts in a store. */
  readonly administration?: Administration;
  readonly desk?: Desk;
  /** Enables administration over the network. */
  readonly adminToken?: string;
  /** Enables administration over a socket in this directory. */
  readonly dataDirectory?: string;
  /** Enables the listener for metrics, health and, with a token, administration. */
  readonly adminPort?: number;
  readonly adminHost: string;
  /** Returns the metrics in the text format of Prometheus. Default: not served. */
  readonly metricsText?: () => Promise<string>;
  readonly throttle: AuthenticationThrottle;
  /** As in the routes of the service. */
  readonly missing: () => readonly string[];
  /** Milliseconds for requests in progress when the service stops. */
  readonly closeTimeoutMs: number;
}

/**
 * Opens the listeners for operators. They exist while the service is ready, and until it has stopped.
 *
 * @returns a function that returns the port of the one for metrics, once the service listens; undefined without it
 */
export function attachAdministration(
  app: FastifyInstance,
  options: AdministrationOptions,
): () => number | undefined {
  const { administration, desk, adminToken, dataDirectory, adminPort, throttle } = options;
  const context = administration && desk && { ...options, administration, desk };
  const guarded =
    context && adminToken !== undefined
      ? adminRoutes(context, adminTokenGuard(adminToken, throttle))
      : undefined;
  if (guarded) app.register(guarded, { prefix: ADMIN_PREFIX });
  if (context && dataDirectory !== undefined) attachSocket(app, dataDirectory, context);
  return adminPort === undefined ? () => undefined : attachPort(app, { ...options, adminPort }, guarded);
}

function attachSocket(
  app: FastifyInstance,
  dataDirectory: string,
  options: AdministrationOptions & AdminContext,
): void {
  // An app of its own, so that the socket serves nothing but administration.
  const socketApp = operatorApp(options);
  socketApp.register(adminRoutes(options), { prefix: ADMIN_PREFIX });
  let removeSocket = async () => {};
  app.addHook('onReady', async () => {
    try {
      removeSocket = await listenOnAdminSocket(socketApp, dataDirectory);
    } catch (error) {
      options.logger.warn(
        { err: error },
        'administration over a socket is not available; an admin token enables it over the network',
      );
    }
  });
  closeWith(app, socketApp, options, () => removeSocket());
}

function attachPort(
  app: FastifyInstance,
  options: AdministrationOptions & { readonly adminPort: number },
  guarded: FastifyPluginAsync | undefined,
): () => number | undefined {
  const { adminHost: host, adminPort: port } = options;
  const portApp = operatorApp(options);
  if (isLoopback(host)) refuseOtherHosts(portApp, host);
  inScope(portApp, scope => healthRoutes(scope, options));
  if (guarded) portApp.register(guarded, { prefix: ADMIN_PREFIX });
  app.addHook('onReady', () => listenOn(portApp, { host, port }, 'metrics and administration'));
  closeWith(app, portApp, options);
  return () => (portApp.server.address() as AddressInfo | null)?.port;
}

/** Refuses requests under the name of a web site, which would otherwise read the metrics through a browser of the machine. */
function refuseOtherHosts(app: FastifyInstance, host: string): void {
  const isMeant = hostCheck(host);
  app.addHook('onRequest', async ({ headers }) => {
    if (isMeant(headers.host)) return;
    throw new ProblemError('forbidden', { detail: 'The host must be localhost or a loopback address.' });
  });
}

/** Creates an app for operators, with the metrics; its own requests are not among them. */
function operatorApp({ instruments: _, ...options }: AdministrationOptions): FastifyInstance {
  const app = createHttpApp(options);
  const { metricsText } = options;
  if (metricsText) {
    app.get('/metrics', async (_request, reply) =>
      reply
        .type(METRICS_MEDIA_TYPE)
        .serializer(String)
        .send(await metricsText()),
    );
  }
  return app;
}

/** The text format of Prometheus, as its documentation names it. */
const METRICS_MEDIA_TYPE = 'text/plain; version=0.0.4; charset=utf-8';

/** Closes an app for operators after the service, so that the end of the service can be watched. */
function closeWith(
  app: FastifyInstance,
  operators: FastifyInstance,
  { closeTimeoutMs, clock }: AdministrationOptions,
  before: () => Promise<void> = async () => {},
): void {
  const requestsEnded = watchRequests(operators.server);
  app.addHook('onClose', async () => {
    await before();
    await closeHttp(operators, {
      requestsEnded,
      requestsMs: closeTimeoutMs,
      timeoutMs: closeTimeoutMs,
      clock,
    });
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
    deskRoutes(app, context);
  };
}
