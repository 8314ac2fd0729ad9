import { once } from 'node:events';
import {
  createServer,
  type IncomingMessage,
  type RequestListener,
  ServerResponse,
  STATUS_CODES,
} from 'node:http';
import { createServer as createSecureServer } from 'node:https';
import type { Socket } from 'node:net';
import { TLSSocket } from 'node:tls';
import { PROBLEM_MEDIA_TYPE } from '../../../protocol/interfaceNames.ts';
import { followAnswers, isPipelined } from '../../../web/handshakes.ts';
import { authority, type ListenAddress, listen } from '../../../web/listen.ts';
import { REQUEST_TIMEOUTS } from '../../../web/serverLimits.ts';

/** An HTTP server with all its connections, which faults may break. */

/** Where a server listens. */
export interface FaultServerAddress extends Partial<ListenAddress> {
  /** Certificate and key in PEM, for `wss` and `https`. Default: without TLS. */
  readonly tls?: { readonly cert: Buffer; readonly key: Buffer };
}

export interface FaultServerOptions extends FaultServerAddress {
  readonly onRequest: RequestListener;
  readonly onUpgrade: (request: IncomingMessage, tcp: Socket, head: Buffer) => void;
  readonly onConnection?: (tcp: Socket) => void;
  /** Ends the sessions; the connections that are left are destroyed. */
  readonly onClose: () => Promise<unknown>;
}

export interface FaultServer {
  /** Address by its scheme without TLS. */
  readonly url: Readonly<Record<'http' | 'ws', string>>;
  /** Stops listening and closes all connections. Idempotent. */
  close(): Promise<void>;
}

/** Limits of such a server. */
export const FAULT_SERVER_LIMITS = {
  /** Bytes of the longest accepted message: half an hour of 16 kHz in one frame. */
  messageBytes: 64 * 1024 * 1024,
  connections: 1000,
} as const;

/** Options of the WebSockets of such a server. */
export const SOCKET_OPTIONS = {
  perMessageDeflate: false,
  maxPayload: FAULT_SERVER_LIMITS.messageBytes,
  /** Milliseconds of real time for which TCP may stay open after the closing handshake. */
  closeTimeout: 2000,
} as const;

/** An upload may take as long as it takes. */
const TIMEOUTS = { ...REQUEST_TIMEOUTS, requestTimeout: 0 };

/** Starts a server. @throws RxscribeError `unavailable` for an address that is in use */
export async function startFaultServer(options: FaultServerOptions): Promise<FaultServer> {
  const { host = '127.0.0.1', port = 0, tls, onRequest, onUpgrade, onConnection, onClose } = options;
  const server = tls
    ? createSecureServer({ ...TIMEOUTS, ...tls }, onRequest)
    : createServer(TIMEOUTS, onRequest);
  server.maxConnections = FAULT_SERVER_LIMITS.connections;
  const sockets = new Set<Socket>();
  server.on(tls ? 'secureConnection' : 'connection', (socket: Socket) => {
    sockets.add(socket);
    socket.setNoDelay(true);
    socket.on('error', () => socket.destroy());
    socket.on('close', () => sockets.delete(socket));
    onConnection?.(socket);
  });
  followAnswers(server);
  server.on('upgrade', (request, socket, head) => {
    if (isPipelined(request)) socket.destroy();
    else onUpgrade(request, socket as Socket, head);
  });
  const origin = `${tls ? 's' : ''}://${authority({ host, port: await listen(server, { host, port }) })}`;
  const end = async () => {
    const closed = once(server, 'close');
    server.close();
    await onClose();
    for (const socket of sockets) socket.destroy();
    await closed;
  };
  let ended: Promise<void> | undefined;
  return {
    url: { http: `http${origin}`, ws: `ws${origin}` },
    close: () => (ended ??= end()),
  };
}

/** Resets a connection after its written data has been sent. */
export function reset(tcp: Socket): void {
  // Node.js cannot reset the connection below TLS: it ends without the closing messages of TLS and WebSocket.
  const end = () => void (tcp instanceof TLSSocket ? tcp.destroy() : tcp.resetAndDestroy());
  if (tcp.writableLength === 0) end();
  else tcp.write('', end);
}

/** Discards everything the other side sends, so that neither a ping nor a close is answered. */
export function fallSilent(tcp: Socket): void {
  tcp.removeAllListeners('data');
  tcp.removeAllListeners('end');
  tcp.on('data', () => {});
  tcp.on('end', () => tcp.destroy());
}

/** Answers a request with the problem document of an HTTP status. */
export function answerProblem(response: ServerResponse, status: number): void {
  const title = STATUS_CODES[status] ?? 'Answer of a cassette';
  response.writeHead(status, { 'content-type': PROBLEM_MEDIA_TYPE }).end(JSON.stringify({ title, status }));
}

/** Returns the response to a handshake, after which the connection is closed. */
export function handshakeResponse(request: IncomingMessage, tcp: Socket): ServerResponse {
  const response = new ServerResponse(request);
  response.shouldKeepAlive = false;
  response.assignSocket(tcp);
  return response.on('finish', () => tcp.destroySoon());
}

/** Answers a handshake with an HTTP status and closes the connection. */
export function answerHandshake(request: IncomingMessage, tcp: Socket, status: number): void {
  answerProblem(handshakeResponse(request, tcp), status);
}
