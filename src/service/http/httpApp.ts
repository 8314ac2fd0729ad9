import type { IncomingMessage } from 'node:http';
import fastify, {
  type ConnectionError,
  type FastifyBaseLogger,
  type FastifyInstance,
  type FastifyReply,
  LogController,
} from 'fastify';
import type { Clock } from '../../base/clock.ts';
import { messageOf, RxscribeError } from '../../base/errors.ts';
import { settledWithin } from '../../base/wait/withTimeout.ts';
import { PROBLEM_MEDIA_TYPE } from '../../protocol/interfaceNames.ts';
import { followAnswers, isPipelined } from '../../web/handshakes.ts';
import { addressOf, type TrustProxy } from '../../web/requestAddresses.ts';
import type { HttpLimits } from '../limits.ts';
import { invalidParameters, type ProblemCode, ProblemError, problemBody } from '../problems.ts';
import { isOutOfSpace } from '../store/storeErrors.ts';
import type { Instruments } from '../telemetry/createInstruments.ts';
import { answerRequestIds, observeRequests } from '../telemetry/observeRequests.ts';
import { requestIdOf } from '../telemetry/requestId.ts';
import { answerOnSocket } from './answerOnSocket.ts';
import { acceptBodies } from './requestBodies.ts';
import { unknownPath, unroutedProblems } from './unroutedProblems.ts';

export interface HttpAppOptions {
  readonly limits: HttpLimits;
  readonly clock: Clock;
  readonly logger: FastifyBaseLogger;
  /** Returns the base address of the types of problems; called for each problem, because it may depend on the port. */
  readonly baseUrl: () => string;
  /** Default: the requests have neither metrics nor spans. */
  readonly instruments?: Instruments;
  /** Default: the address of a client is that of its connection. */
  readonly trustProxy?: TrustProxy;
}

/** Milliseconds for the last bytes of answers to reach their clients. */
const LAST_BYTES_MS = 500;

/** Creates a server without routes that answers every fault with a problem and logs every request by its route. */
export function createHttpApp(options: HttpAppOptions): FastifyInstance {
  const { limits, logger, baseUrl, clock, instruments, trustProxy } = options;
  const app = fastify({
    loggerInstance: logger,
    // The framework's own lines contain the whole URL, and so tokens.
    logController: new LogController({ disableRequestLogging: true, requestIdLogLabel: 'request' }),
    genReqId: requestIdOf,
    trustProxy: trustProxy ?? false,
    routerOptions: { ignoreTrailingSlash: true },
    bodyLimit: limits.bodyBytes,
    // acceptBodies limits the time of a body by its rate instead.
    requestTimeout: 0,
    connectionTimeout: limits.connectionTimeoutMs,
    return503OnClosing: false,
    http: {
      // refuseOddRequests answers a missing header with a problem.
      requireHostHeader: false,
      maxHeaderSize: limits.headerBytes,
      headersTimeout: limits.headersTimeoutMs,
      connectionsCheckingInterval: limits.checkIntervalMs,
      // Other protocols, such as h2c, may be ignored; a Node without this option answers them with the 404 of upgrades.
      shouldUpgradeCallback: request =>
        request.headers.upgrade?.toLowerCase() === 'websocket' && !isPipelined(request),
    },
    clientErrorHandler(error, socket) {
      answerOnSocket(socket, problemOfConnection(error), { baseUrl: baseUrl() });
    },
    frameworkErrors: (error, _request, reply) => answer(reply, problemOfError(error)),
  });

  // Schemas only describe here: requests are read leniently and answered with all faults at once, which no compiler does.
  app.setValidatorCompiler(() => () => true);
  app.setSerializerCompiler(() => JSON.stringify);

  function answer(reply: FastifyReply, error: ProblemError): FastifyReply {
    const body = problemBody(error, baseUrl());
    reply.headers(error.headers);
    // The framework closes the connection of an oversized request before the client has read the answer.
    reply.removeHeader('connection');
    if (body.status === 401) reply.header('www-authenticate', 'Bearer');
    // The serializers of the routes only know their successful answers.
    return reply.code(body.status).type(PROBLEM_MEDIA_TYPE).serializer(JSON.stringify).send(body);
  }

  followAnswers(app.server);
  answerRequestIds(app);
  if (instruments) observeRequests(app, instruments);
  app.setErrorHandler((error, request, reply) => {
    if (!(error instanceof ProblemError) && statusOf(error) >= 500) request.log.error(error);
    return answer(reply, problemOfError(error));
  });
  refuseOddRequests(app);
  const problemOf = unroutedProblems(app);
  app.setNotFoundHandler((request, reply) => answer(reply, problemOf(request)));
  acceptBodies(app, {
    limits,
    clock,
    onStall: (socket, requestId) =>
      answerOnSocket(socket, new ProblemError('requestTimeout'), { baseUrl: baseUrl(), requestId }),
  });
  logRequests(app);
  return app;
}

/** Logs each request by its route, with the address of its client. */
function logRequests(app: FastifyInstance): void {
  app.addHook('onResponse', async (request, reply) => {
    // Probes every few seconds would fill the log.
    const level = /^\/(health\/|metrics$)/.test(request.routeOptions.url ?? '') ? 'debug' : 'info';
    request.log[level](
      {
        account: request.accountId || undefined,
        address: addressOf(request.ip),
        method: request.method,
        route: request.routeOptions.url,
        status: reply.statusCode,
        ms: Math.round(reply.elapsedTime),
      },
      'request',
    );
  });
}

/** Answers with a problem where the server would answer without a body. */
function refuseOddRequests(app: FastifyInstance): void {
  const unmet = new WeakSet<IncomingMessage>();
  app.server.on('checkExpectation', (request, response) => {
    unmet.add(request);
    app.routing(request, response);
  });
  app.addHook('onRequest', async ({ raw }) => {
    if (unmet.has(raw)) {
      throw new ProblemError('expectationFailed', { detail: 'The Expect header may only be 100-continue.' });
    }
    if (raw.httpVersion === '1.1' && raw.headers.host === undefined) {
      throw invalidParameters({ host: ['is required'] });
    }
  });
}

/** Problems by the status of an error of the framework, or of a file of the API reference. */
const BY_STATUS: Readonly<Record<number, ProblemCode>> = {
  403: 'forbidden',
  412: 'preconditionFailed',
  413: 'payloadTooLarge',
  415: 'unsupportedMediaType',
  416: 'rangeNotSatisfiable',
};

/** Returns the problem with which a fault is answered. */
export function problemOfError(error: unknown): ProblemError {
  if (error instanceof ProblemError) return error;
  const detail = unavailableDetail(error);
  if (detail !== undefined) return new ProblemError('unavailable', { detail });
  const status = statusOf(error);
  if (status === 400) return invalidParameters({ request: [messageOf(error)] });
  if (status === 404 || status === 414) return unknownPath();
  const { headers } = error as { readonly headers?: ProblemError['headers'] };
  return new ProblemError(BY_STATUS[status] ?? 'internal', {}, headers);
}

/** Returns why the store cannot do its part now, without its paths; undefined for other errors. */
function unavailableDetail(error: unknown): string | undefined {
  const code = error instanceof RxscribeError ? error.code : undefined;
  if (code === 'timeout') return 'The database is not open yet, or does not answer in time.';
  if (code === 'store') return 'The database is not available. The log of the service has the reason.';
  return isOutOfSpace(error) ? 'The service has no space left.' : undefined;
}

function statusOf(error: unknown): number {
  return (error as { statusCode?: number }).statusCode ?? 500;
}

function problemOfConnection({ code }: ConnectionError): ProblemError {
  if (code === 'HPE_HEADER_OVERFLOW') return new ProblemError('headersTooLarge');
  if (code === 'ERR_HTTP_REQUEST_TIMEOUT') return new ProblemError('requestTimeout');
  return invalidParameters({ request: ['expected HTTP/1.1'] });
}

export interface CloseHttpOptions {
  /** Resolves when no request is in progress. */
  readonly requestsEnded: () => Promise<void>;
  /** Milliseconds for requests in progress to end. */
  readonly requestsMs: number;
  /** Milliseconds for connections to close afterwards. */
  readonly timeoutMs: number;
  readonly clock: Clock;
}

/** Stops the server: accepts no more connections, and closes the others when the requests in progress have ended. */
export async function closeHttp(
  app: FastifyInstance,
  { requestsEnded, requestsMs, timeoutMs, clock }: CloseHttpOptions,
): Promise<void> {
  const closed = app.close();
  await settledWithin(requestsMs, requestsEnded(), clock);
  // A connection without any request is not idle to the server, which would wait for one.
  await settledWithin(Math.min(LAST_BYTES_MS, timeoutMs), closed, clock);
  app.server.closeAllConnections();
  await settledWithin(timeoutMs, closed, clock);
}
