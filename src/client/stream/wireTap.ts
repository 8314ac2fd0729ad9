import type { StreamQuery } from '../../protocol/streamQuery.ts';
import type { Chunk } from '../spool/spool.ts';
import type { QuerySpan } from './fallback.ts';

/** A listener on the wire of a stream, such as a recorder. It never gets a token. */
export interface WireTap {
  /** Called before a connection is made. */
  connect(connection: TappedConnection): ConnectionTap;
  /** The audio from a frame on has another query. */
  query(span: QuerySpan): void;
}

/** The request of a connection. */
export interface TappedConnection {
  /** Without query and credentials. */
  readonly address: string;
  readonly query: StreamQuery;
  /** First frame of its audio, in frames since the start of the source. */
  readonly originFrame: number;
}

/** A listener on one connection. Calls come in order; `closed` is the last. */
export interface ConnectionTap {
  /** The handshake is over. */
  opened(): void;
  /** A frame of audio was sent. The bytes are only good during the call. */
  audio(chunk: Chunk): void;
  /** Silence was sent that the source does not have. */
  padding(chunk: Pick<Chunk, 'bytes' | 'frames'>): void;
  /** A text frame was sent: `EOS`. */
  sent(text: string): void;
  /** A text frame came; it is not parsed yet. */
  received(text: string): void;
  /** A binary frame came, which the interface does not define. */
  receivedBinary(): void;
  /** The connection is closed, `by` one of its ends, or by a break of the network without a close frame. */
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
