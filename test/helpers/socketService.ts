import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { type WebSocket, WebSocketServer } from 'ws';

/** A service that does one thing with each connection, and the flags of commands that lead to it. */
export async function serviceThat(act: (socket: WebSocket) => void) {
  const server = new WebSocketServer({ port: 0, host: '127.0.0.1' });
  server.on('connection', act);
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    args: ['--url', `http://127.0.0.1:${port}`, '--token', 'secret-token'],
    async [Symbol.asyncDispose]() {
      for (const client of server.clients) client.terminate();
      await new Promise(resolve => server.close(resolve));
    },
  };
}
