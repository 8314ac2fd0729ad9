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
  /** Milliseconds in which a request has to arrive, 0 for any. Default: those of services. */
  readonly requestTimeoutMs?: number;
}

export interface FaultServer {
  /** Address after the scheme, and the letter that the scheme ends with when it has TLS. */
  readonly authority: string;
  readonly s: '' | 's';
  /** Stops listening, runs `end`, and destroys the connections that are left. */
  close(end: () => Promise<unknown>): Promise<void>;
}

/** Limits of such a server. */
export const FAULT_SERVER_LIMITS = {
  /** Bytes of the longest accepted message: half an hour of 16 kHz in one frame. */
  messageBytes: 64 * 1024 * 1024,
  connections: 1000,
} as const;

/** Starts a server. @throws RxscribeError `unavailable` for an address that is in use */
export async function startFaultServer(options: FaultServerOptions): Promise<FaultServer> {
  const { host = '127.0.0.1', port = 0, tls, onRequest, onUpgrade, onConnection } = options;
  const { requestTimeoutMs: requestTimeout = REQUEST_TIMEOUTS.requestTimeout } = options;
  const timeouts = { ...REQUEST_TIMEOUTS, requestTimeout };
  const server = tls
    ? createSecureServer({ ...timeouts, ...tls }, onRequest)
    : createServer(timeouts, onRequest);
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
  const usedPort = await listen(server, { host, port });
  return {
    authority: authority({ host, port: usedPort }),
    s: tls ? 's' : '',
    async close(end) {
      const closed = once(server, 'close');
      server.close();
      await end();
      for (const socket of sockets) socket.destroy();
      await closed;
    },
  };
}
