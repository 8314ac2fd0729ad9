import type { IncomingMessage, Server } from 'node:http';
import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { WebSocketServer } from 'ws';
import { settledWithin } from '../../base/wait/withTimeout.ts';
import { STREAM_PATH } from '../../protocol/interfaceNames.ts';
import { isPipelined } from '../../web/handshakes.ts';
import { clientAddress } from '../../web/requestAddresses.ts';
import { answerOnSocket } from '../http/answerOnSocket.ts';
import { unknownPath } from '../http/unroutedProblems.ts';
import type { StreamLimits } from '../limits.ts';
import { invalidParameters, ProblemError } from '../problems.ts';
import type { Region } from '../region.ts';
import { observeStream } from '../telemetry/observeStream.ts';
import { REQUEST_ID_HEADER, requestIdOf } from '../telemetry/requestId.ts';
import { createAdmission } from './admission.ts';
import { createBacklog } from './backlog.ts';
import type { Capacity } from './capacityMonitor.ts';
import { Connection } from './connection.ts';
import { createEndingDecision, ENDINGS, type EndingDecision } from './ending.ts';
import { observeStreams } from './observeCapacity.ts';
import { createRecognizerQueue } from './recognizerQueue.ts';
import type { SessionContext } from './runSession.ts';
import { type Client, serveSession } from './session.ts';
import type { StreamingOptions } from './streamingOptions.ts';

/** The library sees no audio, only text; the longest allowed text is `EOS`. */
const MAX_TEXT_BYTES = 125;

/** The version of RFC 6455; the library would also accept its draft 8. */
const WEB_SOCKET_VERSION = '13';

/** A WebSocket handshake, before its answer. */
export interface Handshake {
  readonly request: IncomingMessage;
  readonly socket: Duplex;
  /** Bytes that arrived with it. */
  readonly head: Buffer;
  readonly requestId: string;
  /** Remote address; absent when the client has already disconnected. */
  readonly address?: string;
}

/** The streaming sessions of a service. */
export interface Streaming {
  /** Number of open sessions. */
  readonly sessions: number;
  /** Returns the current capacity for streams. */
  capacity(): Capacity;
  /** Serves a client of a door, with the same admission as clients that connect. */
  serve(client: Client, request: Pick<IncomingMessage, 'headers'>): void;
  /** Passes the handshakes for another path to a handler. */
  takeOver(path: string, take: (handshake: Handshake) => void): void;
  /** Refuses new sessions, ends the others with 4010 at their next pause, and after `timeoutMs` without one. */
  drain(timeoutMs: number): Promise<void>;
}

/** The streaming of a process that takes no streams. */
export const NO_STREAMING: Streaming = {
  sessions: 0,
  capacity: () => ({
    running: 0,
    waiting: 0,
    slots: 0,
    free: 0,
    busy: 0,
    costPerSecond: 0,
    lagMs: 0,
    quick: 0,
  }),
  serve: () => {},
  takeOver: () => {},
  drain: async () => {},
};

/** Handles the WebSocket handshakes of a server; one for an unknown path is answered with 404. */
export function attachStreaming(server: Server, options: StreamingOptions): Streaming {
  const { limits, clock, instruments } = options;
  const sessions = new Map<EndingDecision, Promise<void>>();
  let isDraining = false;
  const context: SessionContext = {
    ...options,
    backlogOf: createBacklog(limits),
    recognizers: createRecognizerQueue(options),
    admit: createAdmission(options),
  };
  const serve = (client: Client, request: Pick<IncomingMessage, 'headers'>) => {
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
  const others = new Map<string, (handshake: Handshake) => void>();
  acceptHandshakes(server, options, { serve, others });
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
    serve,
    takeOver: (path, take) => void others.set(path, take),
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
  { limits, baseUrl, region, trustProxy }: StreamingOptions,
  {
    serve,
    others,
  }: {
    readonly serve: Streaming['serve'];
    readonly others: ReadonlyMap<string, (handshake: Handshake) => void>;
  },
): void {
  const requestIds = new WeakMap<IncomingMessage, string>();
  const refuse = (socket: Duplex, request: IncomingMessage, problem: ProblemError) =>
    answerOnSocket(socket, problem, { baseUrl: baseUrl(), requestId: requestIds.get(request) });
  const webSockets = createWebSocketServer(limits);
  webSockets.on('headers', (headers, request) =>
    headers.push(`${REQUEST_ID_HEADER}: ${requestIds.get(request)}`),
  );
  webSockets.on('wsClientError', (error, socket, request) =>
    refuse(socket, request, invalidParameters({ upgrade: [error.message] })),
  );
  server.on('upgrade', (request: IncomingMessage, stream: Duplex, head: Buffer) => {
    // Only in a Node that does not ask before it upgrades.
    if (isPipelined(request)) return void stream.destroy();
    const requestId = requestIdOf(request);
    requestIds.set(request, requestId);
    const [path = '', query = ''] = split(request.url ?? '');
    const take = others.get(path);
    const problem = problemOf(take ? STREAM_PATH : path, request, region);
    if (problem) return refuse(stream, request, problem);
    const address = clientAddress(request, trustProxy);
    if (take) return take({ request, socket: stream, head, requestId, address });
    const connection = new Connection(stream as Socket, head, limits.messageBytes);
    webSockets.handleUpgrade(request, connection, Buffer.alloc(0), socket => {
      const applicant = { parameters: new URLSearchParams(query), address };
      serve({ socket, connection, applicant, requestId }, request);
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

function problemOf(path: string, { headers }: IncomingMessage, region: Region): ProblemError | undefined {
  if (path !== STREAM_PATH && path !== `${STREAM_PATH}/`) return unknownPath();
  if (!region.streaming) return new ProblemError('unsupportedApi');
  if (headers['sec-websocket-version'] === WEB_SOCKET_VERSION) return undefined;
  const detail = `The WebSocket version must be ${WEB_SOCKET_VERSION}.`;
  // RFC 9110, section 15.5.22; RFC 6455, section 4.4.
  const wanted = { Upgrade: 'websocket', 'Sec-WebSocket-Version': WEB_SOCKET_VERSION };
  return new ProblemError('upgradeRequired', { detail }, wanted);
}
