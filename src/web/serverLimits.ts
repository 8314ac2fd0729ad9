import type { Server } from 'node:http';
import type { Socket } from 'node:net';
import { networkOf, type TrustProxy } from './requestAddresses.ts';

/** Options of `createServer` that end slow requests. By default, Node looks for them every 30 s only. */
export const REQUEST_TIMEOUTS = {
  headersTimeout: 10_000,
  requestTimeout: 30_000,
  keepAliveTimeout: 5000,
  connectionsCheckingInterval: 1000,
} as const;

/** Share of all places that a network gets once none is free: a few hostile networks must not displace a hall of viewers. */
const SHARE_WHEN_FULL = 0.01;

/**
 * A limited number of places. While some are free, a network may have any number of them, as all people behind a proxy are
 * one network. After that, a network with less than a hundredth of the places, or none, may have one of the network with most.
 */
export class SharedPlaces<Holder> {
  readonly #limit: number;
  readonly #evict: (holder: Holder) => void;
  readonly #holders = new Map<string, Set<Holder>>();
  #count = 0;

  constructor(limit: number, evict: (holder: Holder) => void) {
    this.#limit = limit;
    this.#evict = evict;
  }

  /** Number of taken places. */
  get count(): number {
    return this.#count;
  }

  get isFull(): boolean {
    return this.#count >= this.#limit;
  }

  /** Returns a function that frees the place again, idempotent; undefined when there is no place. */
  take(address: string, holder: Holder): (() => void) | undefined {
    const network = networkOf(address);
    const own = this.#holders.get(network) ?? new Set();
    const isSmall = own.size < Math.max(1, SHARE_WHEN_FULL * this.#limit);
    if (this.isFull && !(isSmall && this.#makeRoom(own.size + 1))) return undefined;
    this.#holders.set(network, own.add(holder));
    this.#count++;
    return () => this.#leave(network, holder);
  }

  /** Evicts the latest holder of the network with most places, if that leaves it at least `size` of them. */
  #makeRoom(size: number): boolean {
    const [network, holders] = [...this.#holders].reduce((a, b) => (b[1].size > a[1].size ? b : a));
    if (holders.size <= size) return false;
    const latest = [...holders].at(-1)!;
    this.#leave(network, latest);
    this.#evict(latest);
    return true;
  }

  #leave(network: string, holder: Holder): void {
    const holders = this.#holders.get(network);
    if (!holders?.delete(holder)) return;
    this.#count--;
    if (holders.size === 0) this.#holders.delete(network);
  }
}

/** Limits the connections of a server to places that networks share. Connections of trusted proxies do not count. */
export function limitConnections(server: Server, limit: number, trust: TrustProxy): void {
  const places = new SharedPlaces<Socket>(limit, socket => socket.destroy());
  server.on('connection', (socket: Socket) => {
    const { remoteAddress = '' } = socket;
    if (trust(remoteAddress)) return;
    const leave = places.take(remoteAddress, socket);
    if (leave) socket.once('close', leave);
    else socket.destroy();
  });
}
