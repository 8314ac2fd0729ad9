import type { StreamQuery } from '../../protocol/streamQuery.ts';
import type { Chunk } from '../spool/replayStore.ts';

/** Listens on the wire of a stream, as a recorder does. No token ever comes here. */
export interface WireTap {
  /** A connection is about to be made. */
  connect(connection: TappedConnection): ConnectionTap;
}

/** What is asked for with a connection. */
export interface TappedConnection {
  /** Without query and credentials. */
  readonly address: string;
  readonly query: StreamQuery;
  /** Where its audio begins, in frames since the start of the source. */
  readonly originFrame: number;
}

/** Hears what passes over one connection, in order. `close` is the last. */
export interface ConnectionTap {
  /** The handshake is over. */
  opened(): void;
  /** A frame of audio was sent. The bytes are only good during the call. */
  audio(chunk: Chunk): void;
  /** Silence was sent that the source does not have. */
  padding(chunk: Pick<Chunk, 'bytes' | 'frames'>): void;
  /** A text frame was sent: `EOS`. */
  sent(text: string): void;
  /** A text frame came, before anybody has read it. */
  received(text: string): void;
  /** A binary frame came, which the interface does not have. */
  receivedBinary(): void;
  /** The connection is over; `by` says who ended it, `network` a break without a close frame. */
  closed(end: TappedClose): void;
}

export interface TappedClose {
  readonly by: 'client' | 'service' | 'network';
  /** RFC 6455, section 7.4; 1006 when no close frame came. */
  readonly code: number;
  readonly reason: string;
  /** The answer to a handshake that failed. */
  readonly httpStatus?: number;
}
