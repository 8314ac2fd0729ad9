/** An HTTP server with all its connections, which faults may break. */
import { once } from 'node:events';
import { createServer, type IncomingMessage, type RequestListener } from 'node:http';
import { createServer as createSecureServer } from 'node:https';
import type { Socket } from 'node:net';
import { authority, type ListenAddress, listen } from '../../../web/listen.ts';
import { REQUEST_TIMEOUTS } from '../../../web/serverLimits.ts';

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
  server.on('upgrade', (request, socket, head) => onUpgrade(request, socket as Socket, head));
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
