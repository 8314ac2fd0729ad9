import { once } from 'node:events';
import { createServer as createHttpServer, type RequestListener } from 'node:http';
import { createServer as createHttpsServer } from 'node:https';
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net';
import { onTestFinished } from 'vitest';

/** A server on a free port of the loopback address, which ends with the test. */
export interface LoopbackServer {
  readonly port: number;
  readonly url: string;
}

/** A server that speaks proper HTTP. */
export async function httpServer(onRequest: RequestListener): Promise<LoopbackServer> {
  const server = createHttpServer(onRequest);
  return listening(server, () => server.closeAllConnections());
}

/** As `httpServer`, but it ends when it is disposed, for measurements outside a test. */
export async function openHttpServer(onRequest: RequestListener): Promise<LoopbackServer & AsyncDisposable> {
  const server = createHttpServer(onRequest);
  return openServer(server, () => server.closeAllConnections());
}

/** As `httpServer`, with TLS. */
export async function httpsServer(
  certificate: { readonly key: string; readonly cert: string },
  onRequest: RequestListener,
): Promise<LoopbackServer> {
  const server = createHttpsServer(certificate, onRequest);
  const { port, url } = await listening(server, () => server.closeAllConnections());
  return { port, url: url.replace('http:', 'https:') };
}

/** A server whose connections are handled by a function of the test. */
export async function socketServer(onConnection: (socket: Socket) => void): Promise<LoopbackServer> {
  const sockets = new Set<Socket>();
  const server = createServer(socket => {
    sockets.add(socket);
    socket.on('error', () => {});
    onConnection(socket);
  });
  return listening(server, () => {
    for (const socket of sockets) socket.destroy();
  });
}

/** As `socketServer`, but called when a request has arrived on the connection. */
export function rawServer(onRequest: (socket: Socket, request: string) => unknown): Promise<LoopbackServer> {
  return socketServer(socket => {
    socket.once('data', data => onRequest(socket, data.toString('latin1')));
  });
}

async function listening(server: Server, endConnections: () => void): Promise<LoopbackServer> {
  const running = await openServer(server, endConnections);
  onTestFinished(() => running[Symbol.asyncDispose]());
  return running;
}

/** Makes a server listen; it is closed when it is disposed, which may be done again. */
export async function openServer(
  server: Server,
  endConnections: () => void,
  port = 0,
): Promise<LoopbackServer & AsyncDisposable> {
  server.listen(port, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address() as AddressInfo;
  return {
    port: address.port,
    url: `http://127.0.0.1:${address.port}`,
    async [Symbol.asyncDispose]() {
      const closed = server.listening && once(server, 'close');
      server.close();
      endConnections();
      await closed;
    },
  };
}
