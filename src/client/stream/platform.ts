import type { SocketClose } from '../closeErrors.ts';
import type { ReplayStoreOptions } from '../spool/createReplayStore.ts';
import type { OpenSpoolOptions } from '../spool/openSpool.ts';
import type { ReplayStore, Spool } from '../spool/spool.ts';

/** The parts of a stream that differ between Node and browsers. */
export interface Platform {
  /** True when a service answers the pings of a socket. A page can send none: there, the socket answers them itself. */
  readonly hasPings: boolean;
  /** Connects. A connection that cannot be made comes as `failed` or `closed`. */
  openSocket(address: URL, onEvent: (event: SocketEvent) => void): StreamSocket;
  createReplayStore(options: ReplayStoreOptions): ReplayStore;
  openSpool(options: OpenSpoolOptions): Spool;
}

export interface StreamSocket {
  /** Bytes sent that are still in this process; none before the kernel has taken some megabytes. */
  readonly bufferedBytes: number;
  /** Sends a message. With `isMore`, a `writable` follows once it has left the process. Default false. */
  send(data: Uint8Array | string, isMore?: boolean): void;
  ping(): void;
  /** Closes at once, with a close frame where that is possible, and without any further event. Idempotent. */
  close(): void;
}

/** An event of a socket. */
export type SocketEvent =
  | { readonly type: 'opened' }
  | { readonly type: 'text'; readonly text: string }
  | { readonly type: 'binary' }
  | { readonly type: 'pong' }
  /** The bytes that waited have left the process. */
  | { readonly type: 'writable' }
  /** The last one. */
  | { readonly type: 'closed'; readonly close: SocketClose }
  /** The socket cannot be opened, as without a token: the only event. */
  | { readonly type: 'failed'; readonly error: unknown };
