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
import type { Accounts } from '../accounts/accounts.ts';
import { answerOnSocket } from '../http/answerOnSocket.ts';
import type { Jobs } from '../jobs/jobs.ts';
import type { AccountLimits, StreamLimits } from '../limits.ts';
import { type ProblemAddresses, type ProblemCode, parameterFaults, problemBody } from '../problems.ts';
import type { AuthenticationThrottle } from '../rateLimits/authenticationThrottle.ts';
import type { Region } from '../region.ts';
import { vocabularyPhrases } from '../vocabularies.ts';
import { createAdmission } from './admission.ts';
import { createBacklog } from './backlog.ts';
import { Connection } from './connection.ts';
import type { SessionContext } from './context.ts';
import { createEndingDecision, ENDINGS, type EndingDecision } from './ending.ts';
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
  /** Default: the embedded punctuator. */
  readonly punctuator?: Punctuator;
  /** Default: all speech has one speaker. */
  readonly diarizer?: Diarizer;
  readonly limits: StreamLimits;
  readonly accountLimits: AccountLimits;
  readonly throttle: AuthenticationThrottle;
  readonly clock: Clock;
  readonly logger: FastifyBaseLogger;
  readonly addresses: () => ProblemAddresses;
}

/** The streaming sessions of a service. */
export interface Streaming {
  /** Number of open sessions. */
  readonly sessions: number;
  /** Refuses new sessions, lets the others end within the limit's `drainMs`, then ends them with 4010. */
  drain(): Promise<void>;
}

/** Handles the WebSocket handshakes of a server; one for another path is answered with 404. */
export function attachStreaming(server: Server, options: StreamingOptions): Streaming {
  const { limits, clock, addresses, recognizer } = options;
  const sessions = new Map<EndingDecision, Promise<void>>();
  let isDraining = false;
  const context: SessionContext = {
    ...options,
    capabilities: recognizer.capabilities,
    backlogOf: createBacklog(limits),
    recognizers: createRecognizerQueue(recognizer, clock),
    admit: createAdmission({
      ...options,
      capabilities: recognizer.capabilities,
      phrasesOf: (accountId, id) => vocabularyPhrases(options.jobs, accountId, id),
      timeoutMs: limits.stallMs,
    }),
  };
  const webSockets = createWebSocketServer(limits);
  webSockets.on('wsClientError', (error, socket) =>
    answerOnSocket(
      socket,
      problemBody('invalidParameters', addresses(), parameterFaults({ upgrade: [error.message] })),
    ),
  );

  const begin = (client: Client) => {
    const decision = createEndingDecision();
    const session = serveSession(client, decision, context);
    sessions.set(
      decision,
      session.finally(() => sessions.delete(decision)),
    );
    if (isDraining) decision.decide(ENDINGS.shuttingDown);
  };
  server.on('upgrade', (request: IncomingMessage, stream: Duplex, head: Buffer) => {
    const socket = stream as Socket;
    const [path = '', query = ''] = split(request.url ?? '');
    const problem = problemOf(path, options.region);
    if (problem) return answerOnSocket(socket, problemBody(problem, addresses()));
    if (request.headers['sec-websocket-version'] !== WEB_SOCKET_VERSION) {
      const detail = `The WebSocket version must be ${WEB_SOCKET_VERSION}.`;
      return answerOnSocket(socket, problemBody('upgradeRequired', addresses(), { detail }), {
        // RFC 9110, section 15.5.22; RFC 6455, section 4.4.
        Upgrade: 'websocket',
        'Sec-WebSocket-Version': WEB_SOCKET_VERSION,
      });
    }
    const connection = new Connection(socket, head, limits.messageBytes);
    webSockets.handleUpgrade(request, connection, Buffer.alloc(0), webSocket => {
      const applicant = { parameters: new URLSearchParams(query), address: socket.remoteAddress };
      begin({ socket: webSocket, connection, applicant });
    });
  });

  return {
    get sessions() {
      return sessions.size;
    },
    async drain() {
      isDraining = true;
      const over = () => Promise.all(sessions.values());
      await settledWithin(limits.drainMs, over(), clock);
      for (const decision of sessions.keys()) decision.decide(ENDINGS.shuttingDown);
      await settledWithin(limits.closeTimeoutMs, over(), clock);
      for (const decision of sessions.keys()) decision.stop();
      // A session that hangs in its recogniser must not block the service.
      await settledWithin(limits.closeTimeoutMs, over(), clock);
    },
  };
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

function problemOf(path: string, region: Region): ProblemCode | undefined {
  if (path !== STREAM_PATH && path !== `${STREAM_PATH}/`) return 'notFound';
  return region.streaming ? undefined : 'unsupportedApi';
}
