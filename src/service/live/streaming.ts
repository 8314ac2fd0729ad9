import type { IncomingMessage, Server } from 'node:http';
import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import type { FastifyBaseLogger } from 'fastify';
import { WebSocketServer } from 'ws';
import type { Clock } from '../../base/clock.ts';
import { settledWithin } from '../../base/wait/withTimeout.ts';
import type { Diarizer } from '../../engines/diarizer.ts';
import type { Punctuator } from '../../engines/punctuator.ts';
import type { Recognizer } from '../../engines/recognizer.ts';
import { STREAM_PATH } from '../../protocol/interfaceNames.ts';
import { clientAddress, type TrustProxy } from '../../web/requestAddresses.ts';
import type { Accounts } from '../accounts/accounts.ts';
import { answerOnSocket } from '../http/answerOnSocket.ts';
import { unknownPath } from '../http/unroutedProblems.ts';
import type { Jobs } from '../jobs/jobs.ts';
import type { AccountLimits, StreamLimits } from '../limits.ts';
import { type ProblemAddresses, ProblemError, parameterFaults, problemBody } from '../problems.ts';
import type { AuthenticationThrottle } from '../rateLimits/authenticationThrottle.ts';
import type { StreamSlots } from '../rateLimits/streamSlots.ts';
import type { Region } from '../region.ts';
import type { Instruments } from '../telemetry/createInstruments.ts';
import { observeStream } from '../telemetry/observeStream.ts';
import { REQUEST_ID_HEADER, requestIdOf } from '../telemetry/requestId.ts';
import { vocabularyPhrases } from '../vocabularies.ts';
import { createAdmission } from './admission.ts';
import { createBacklog } from './backlog.ts';
import type { Capacity } from './capacityMonitor.ts';
import { Connection } from './connection.ts';
import type { SessionContext } from './context.ts';
import { createEndingDecision, ENDINGS, type EndingDecision } from './ending.ts';
import { observeStreams } from './observeCapacity.ts';
import { createRecognizerQueue } from './recognizerQueue.ts';
import { type Client, serveSession } from './session.ts';

/** The library sees no audio, only text, of which the longest allowed is `EOS`. */
const MAX_TEXT_BYTES = 125;

/** The version of RFC 6455; the library would also accept its draft 8. */
const WEB_SOCKET_VERSION = '13';

export interface StreamingOptions {
  readonly region: Region;
  readonly accounts: Accounts;
  readonly jobs: Jobs;
  readonly recognizer: Recognizer;
  /** Limit of streams at the same time. Default: that of the recogniser. */
  readonly maxStreams?: number;
  /** Default: the embedded punctuator. */
  readonly punctuator?: Punctuator;
  /** Default: all speech has one speaker. */
  readonly diarizer?: Diarizer;
  readonly limits: StreamLimits;
  readonly accountLimits: AccountLimits;
  readonly throttle: AuthenticationThrottle;
  readonly streamSlots: StreamSlots;
  readonly clock: Clock;
  readonly logger: FastifyBaseLogger;
  readonly addresses: () => ProblemAddresses;
  readonly trustProxy: TrustProxy;
  readonly instruments: Instruments;
}

/** The streaming sessions of a service. */
export interface Streaming {
  /** Number of open sessions. */
  readonly sessions: number;
  /** Returns the current capacity for streams. */
  capacity(): Capacity;
  /** Refuses new sessions, ends the others with 4010 at their next pause, and after `timeoutMs` without one. */
  drain(timeoutMs: number): Promise<void>;
}

/** The streaming of a process that takes no streams. */
export const NO_STREAMING: Streaming = {
  sessions: 0,
  capacity: () => ({ running: 0, waiting: 0, slots: 0, free: 0, busy: 0, costPerSecond: 0, lagMs: 0 }),
  drain: async () => {},
};

/** Handles the WebSocket handshakes of a server; one for another path is answered with 404. */
export function attachStreaming(server: Server, options: StreamingOptions): Streaming {
  const { limits, clock, recognizer, instruments } = options;
  const sessions = new Map<EndingDecision, Promise<void>>();
  let isDraining = false;
  const context: SessionContext = {
    ...options,
    capabilities: recognizer.capabilities,
    backlogOf: createBacklog(limits),
    recognizers: createRecognizerQueue(options),
    admit: createAdmission({
      ...options,
      capabilities: recognizer.capabilities,
      phrasesOf: (accountId, id) => vocabularyPhrases(options.jobs, accountId, id),
      timeoutMs: limits.stallMs,
    }),
  };
  const begin = (client: Client, request: IncomingMessage) => {
    const { requestId, applicant } = client;
    const decision = createEndingDecision();
    const logger = options.logger.child({ request: requestId, address: applicant.address });
    const session = observeStream(
      { request, requestId, route: STREAM_PATH, instruments, code: () => decision.ending?.rule?.code },
      () => serveSession(client, decision, { ...context, logger }),
    );
    sessions.set(
      decision,
      session.finally(() => sessions.delete(decision)),
    );
    if (isDraining) decision.decide(ENDINGS.shuttingDown);
  };
  acceptHandshakes(server, options, begin);
  const { capacity } = context.recognizers;
  const stopFigures = observeStreams(
    { sessions: () => sessions.size, isDraining: () => isDraining, capacity },
    instruments,
  );

  return {
    get sessions() {
      return sessions.size;
    },
    capacity,
    async drain(timeoutMs) {
      isDraining = true;
      for (const decision of sessions.keys()) decision.drain();
      const over = () => Promise.all(sessions.values());
      await settledWithin(timeoutMs, over(), clock);
      for (const decision of sessions.keys()) decision.decide(ENDINGS.shuttingDown);
      await settledWithin(limits.closeTimeoutMs, over(), clock);
      for (const decision of sessions.keys()) decision.stop();
      // A session that hangs in its recogniser must not block the service.
      await settledWithin(limits.closeTimeoutMs, over(), clock);
      stopFigures();
    },
  };
}

/** Accepts the WebSocket handshakes for streams, and answers the others with a problem. */
function acceptHandshakes(
  server: Server,
  { limits, addresses, region, trustProxy }: StreamingOptions,
  accept: (client: Client, request: IncomingMessage) => void,
): void {
  const requestIds = new WeakMap<IncomingMessage, string>();
  const idHeader = (request: IncomingMessage) => ({ [REQUEST_ID_HEADER]: requestIds.get(request)! });
  const webSockets = createWebSocketServer(limits);
  webSockets.on('headers', (headers, request) =>
    headers.push(`${REQUEST_ID_HEADER}: ${requestIds.get(request)}`),
  );
  webSockets.on('wsClientError', (error, socket, request) =>
    answerOnSocket(
      socket,
      problemBody('invalidParameters', addresses(), parameterFaults({ upgrade: [error.message] })),
      idHeader(request),
    ),
  );
  server.on('upgrade', (request: IncomingMessage, stream: Duplex, head: Buffer) => {
    const socket = stream as Socket;
    const requestId = requestIdOf(request);
    requestIds.set(request, requestId);
    const [path = '', query = ''] = split(request.url ?? '');
    const problem = problemOf(path, region);
    if (problem) {
      return answerOnSocket(
        socket,
        problemBody(problem.problem, addresses(), problem.fields),
        idHeader(request),
      );
    }
    if (request.headers['sec-websocket-version'] !== WEB_SOCKET_VERSION) {
      const detail = `The WebSocket version must be ${WEB_SOCKET_VERSION}.`;
      return answerOnSocket(socket, problemBody('upgradeRequired', addresses(), { detail }), {
        // RFC 9110, section 15.5.22; RFC 6455, section 4.4.
        Upgrade: 'websocket',
        'Sec-WebSocket-Version': WEB_SOCKET_VERSION,
        ...idHeader(request),
      });
    }
    const connection = new Connection(socket, head, limits.messageBytes);
    webSockets.handleUpgrade(request, connection, Buffer.alloc(0), webSocket => {
      const address = clientAddress(request, trustProxy);
      const applicant = { parameters: new URLSearchParams(query), address };
      accept({ socket: webSocket, connection, applicant, requestId }, request);
    });
  });
}

function createWebSocketServer(limits: StreamLimits): WebSocketServer {
  const options = {
    noServer: true,
    clientTracking: false,
    // Compression takes 35 times as long as the audio itself.
    perMessageDeflate: false,
    maxPayload: MAX_TEXT_BYTES,
    maxFragments: MAX_TEXT_BYTES,
    // Missing in the type definitions.
    closeTimeout: limits.closeTimeoutMs,
  };
  return new WebSocketServer(options);
}

function split(url: string): [string, string] {
  const at = url.indexOf('?');
  return at < 0 ? [url, ''] : [url.slice(0, at), url.slice(at + 1)];
}

function problemOf(path: string, region: Region): ProblemError | undefined {
  if (path !== STREAM_PATH && path !== `${STREAM_PATH}/`) return unknownPath();
  return region.streaming ? undefined : new ProblemError('unsupportedApi');
}
