import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net';
import { type Clock, systemClock } from '../../src/base/clock.ts';
import { FaultConnection, reject } from './faultConnection.ts';
import type { FaultPlan } from './faultPlan.ts';

export interface FaultProxyOptions {
  /** Port of the proxy. Default: a free one. */
  readonly port?: number;
  /** Clock of delays. Default: the system clock. */
  readonly clock?: Clock;
}

/** A proxy between client and service on the loopback address, with planned faults for each connection. */
export class FaultProxy {
  readonly url: string;
  readonly port: number;
  readonly #server: Server;
  readonly #sockets = new Set<Socket>();
  #servicePort: number;
  #connections = 0;

  /** See {@link startFaultProxy}. */
  constructor(server: Server, servicePort: number, plan: FaultPlan, clock: Clock) {
    this.#server = server;
    this.#servicePort = servicePort;
    this.port = (server.address() as AddressInfo).port;
    this.url = `http://127.0.0.1:${this.port}`;
    server.on('connection', client => {
      this.#add(client);
      const faults = plan[this.#connections++] ?? [];
      if ('kind' in faults) return reject(client, faults);
      const service = this.#add(connect({ port: this.#servicePort, host: '127.0.0.1', allowHalfOpen: true }));
      new FaultConnection({ client, service, faults, clock }).start();
    });
  }

  /** Number of connections, including refused ones. */
  get connections(): number {
    return this.#connections;
  }

  /** Sends later connections to another service. */
  to(service: { readonly port: number }): void {
    this.#servicePort = service.port;
  }

  #add(socket: Socket): Socket {
    this.#sockets.add(socket);
    socket.setNoDelay(true);
    socket.on('error', () => {});
    socket.on('close', () => this.#sockets.delete(socket));
    return socket;
  }

  /** Resets all open connections. */
  cut(): void {
    for (const socket of this.#sockets) socket.resetAndDestroy();
  }

  /** Resets all connections and stops listening. */
  async [Symbol.asyncDispose](): Promise<void> {
    const closed = once(this.#server, 'close');
    this.#server.close();
    this.cut();
    await closed;
  }
}

/**
 * A proxy in front of a service.
 *
 * @example
 * await using proxy = await startFaultProxy(service, [[{ kind: 'cut', after: { messagesDown: 2 } }], { kind: 'refuse' }]);
 * streamRun(source, { url: proxy.url });
 */
export async function startFaultProxy(
  service: { readonly port: number },
  plan: FaultPlan,
  { port = 0, clock = systemClock }: FaultProxyOptions = {},
): Promise<FaultProxy> {
  const server = createServer({ allowHalfOpen: true });
  await once(server.listen(port, '127.0.0.1'), 'listening');
  return new FaultProxy(server, service.port, plan, clock);
}
