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

/** Holders of a network whose use is unknown that keep their places: more of them would hardly come at once. */
const UNKNOWN_KEPT = 20;

/** The use of a place: an idle holder loses it first when room is needed, an active one last. */
export type PlaceUse = 'active' | 'unknown' | 'idle';

/**
 * A limited number of places. While some are free, a network may have any number of them, as all people behind a proxy are
 * one network. After that, idle holders leave first, and those of unknown use if a network has many. When none is left, a network
 * with less than a hundredth of the places, or none, may have one of the network with most.
 */
export class SharedPlaces<Holder> {
  readonly #limit: number;
  readonly #evict: (holder: Holder) => void;
  readonly #useOf: ((holder: Holder) => PlaceUse) | undefined;
  readonly #holders = new Map<string, Set<Holder>>();
  #count = 0;

  /**
   * @param evict called with a holder that has lost its place
   * @param useOf returns the use of a place. Default: it is not observed
   */
  constructor(limit: number, evict: (holder: Holder) => void, useOf?: (holder: Holder) => PlaceUse) {
    this.#limit = limit;
    this.#evict = evict;
    this.#useOf = useOf;
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
    if (this.isFull && !this.#makeRoom(network)) return undefined;
    const own = this.#holders.get(network) ?? new Set();
    this.#holders.set(network, own.add(holder));
    this.#count++;
    return () => this.#leave(network, holder);
  }

  #makeRoom(network: string): boolean {
    const place = this.#idlePlace() ?? this.#placeFor(network);
    if (!place) return false;
    this.#leave(place.network, place.holder);
    this.#evict(place.holder);
    return true;
  }

  /** Returns the oldest idle place of the network with most places that are not active. */
  #idlePlace(): Place<Holder> | undefined {
    const useOf = this.#useOf;
    if (!useOf) return undefined;
    let most: (Place<Holder> & { readonly count: number }) | undefined;
    for (const [network, holders] of this.#holders) {
      const inactive = [...holders].filter(holder => useOf(holder) !== 'active');
      const idle = inactive.find(holder => useOf(holder) === 'idle');
      const holder = idle ?? (inactive.length > UNKNOWN_KEPT ? inactive[0] : undefined);
      const count = inactive.length;
      if (holder && count > (most?.count ?? 0)) most = { network, holder, count };
    }
    return most;
  }

  /**
   * Returns the latest place of the network with most, an active one if it has no other; undefined when that network were left with
   * fewer than this one.
   */
  #placeFor(network: string): Place<Holder> | undefined {
    const size = this.#holders.get(network)?.size ?? 0;
    if (size >= Math.max(1, SHARE_WHEN_FULL * this.#limit)) return undefined;
    const [largest, holders] = [...this.#holders].reduce((a, b) => (b[1].size > a[1].size ? b : a));
    if (holders.size <= size + 1) return undefined;
    const all = [...holders];
    const holder = all.findLast(each => this.#useOf?.(each) !== 'active') ?? all.at(-1)!;
    return { network: largest, holder };
  }

  #leave(network: string, holder: Holder): void {
    const holders = this.#holders.get(network);
    if (!holders?.delete(holder)) return;
    this.#count--;
    if (holders.size === 0) this.#holders.delete(network);
  }
}

interface Place<Holder> {
  readonly network: string;
  readonly holder: Holder;
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
