import type { PcmFormat } from '../../audio/format/format.ts';
import { END_OF_STREAM } from '../../protocol/closeCodes.ts';
import { accessToken, publicAddress } from '../serviceAccess.ts';
import type { Chunk } from '../spool/spool.ts';
import { queryAddress, tokenAddress } from '../streamAddress.ts';
import { contentTypeOf, silence } from './audioBlocks.ts';
import type { Link } from './machine/model.ts';
import type { SocketEvent, StreamSocket } from './platform.ts';
import type { StreamSettings } from './settings.ts';
import type { ConnectionTap, TappedClose } from './wireTap.ts';

/** The WebSocket of a link, and the listener on its wire. */
export interface LinkSocket {
  /** Bytes that wait in the socket. */
  readonly bufferedBytes: number;
  /** Sends audio. With `isMore`, a `writable` follows once it has left the process. */
  send(chunk: Chunk, isMore: boolean): void;
  /** Sends frames of silence that the source does not have. */
  pad(frames: number): void;
  sendEnd(): void;
  ping(): void;
  /** Closes at once, without any further event. Idempotent. */
  close(): void;
}

export interface LinkSocketOptions {
  readonly settings: Pick<StreamSettings, 'tap' | 'platform'>;
  readonly format: PcmFormat;
  readonly onEvent: (event: SocketEvent) => void;
}

/** Connects a link, as soon as its token is there. */
export function connectLink(link: Link, { settings, format, onEvent }: LinkSocketOptions): LinkSocket {
  const { originFrame, startTs, service } = link;
  const query = { ...service.query, ...(originFrame > 0 && { startTs }), contentType: contentTypeOf(format) };
  let socket: StreamSocket | undefined;
  /** Undefined before the connection, and once its end was reported. */
  let tap: ConnectionTap | undefined;
  let isClosed = false;
  const reportClose = (by: TappedClose['by'], end: Omit<TappedClose, 'by'>) => {
    tap?.closed({ by, ...end });
    tap = undefined;
  };
  const take = (event: SocketEvent) => {
    if (event.type === 'opened') tap?.opened();
    else if (event.type === 'text') tap?.received(event.text);
    else if (event.type === 'binary') tap?.receivedBinary();
    else if (event.type === 'closed') {
      const { code, reason, httpStatus } = event.close;
      const end = { code, reason, ...(httpStatus !== undefined && { httpStatus }) };
      reportClose(code === 1006 ? 'network' : 'service', end);
    }
    onEvent(event);
  };
  const connect = async () => {
    try {
      const target = tokenAddress(queryAddress(service.address, query), await accessToken(service.token));
      if (isClosed) return;
      tap = settings.tap?.connect({ address: publicAddress(service.address), query, originFrame });
      socket = settings.platform.openSocket(target, take);
    } catch (error) {
      if (!isClosed) onEvent({ type: 'failed', error });
    }
  };
  void connect();

  return {
    get bufferedBytes() {
      return socket?.bufferedBytes ?? 0;
    },
    send(chunk, isMore) {
      socket?.send(chunk.bytes, isMore);
      tap?.audio(chunk);
    },
    pad(frames) {
      const chunk = silence(format, frames);
      socket?.send(chunk.bytes);
      tap?.padding(chunk);
    },
    sendEnd() {
      socket?.send(END_OF_STREAM);
      tap?.sent(END_OF_STREAM);
    },
    ping: () => socket?.ping(),
    close() {
      isClosed = true;
      reportClose('client', { code: 1000, reason: '' });
      socket?.close();
    },
  };
}
