import type { PcmFormat } from '../../audio/format/format.ts';
import { END_OF_STREAM } from '../../protocol/closeCodes.ts';
import { accessToken, publicAddress } from '../serviceAccess.ts';
import type { Chunk } from '../spool/spool.ts';
import { queryAddress, tokenAddress } from '../streamAddress.ts';
import { contentTypeOf, silence } from './audioBlocks.ts';
import type { Link } from './machine/model.ts';
import type { RunSettings } from './settings.ts';
import type { SocketEvent, StreamSocket } from './socket.ts';
import type { ConnectionTap, TappedClose } from './wireTap.ts';

/** The WebSocket of a link, and the listener on its wire. */
export interface LinkSocket {
  /** Bytes that wait in the socket. */
  readonly bufferedBytes: number;
  send(chunk: Chunk): void;
  /** Sends frames of silence that the source does not have. */
  pad(frames: number): void;
  sendEnd(): void;
  ping(): void;
  /** Reports a link that was beside the current one to the listener on the wire, with all that came before. */
  report(): void;
  /** Closes at once, without any further event. Idempotent. */
  close(): void;
}

export interface LinkSocketOptions {
  readonly settings: Pick<RunSettings, 'tap' | 'platform'>;
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
  /** Calls of the tap that wait until a link beside the current one goes on. */
  const kept: ((to: ConnectionTap) => void)[] | undefined = settings.tap && link.heard ? [] : undefined;

  const note = (call: (to: ConnectionTap) => void) => {
    if (tap) call(tap);
    else kept?.push(call);
  };
  const report = () => {
    tap = settings.tap?.connect({ address: publicAddress(service.address), query, originFrame });
    for (const call of kept?.splice(0) ?? []) note(call);
  };
  const reportClose = (by: TappedClose['by'], end: Omit<TappedClose, 'by'>) => {
    tap?.closed({ by, ...end });
    tap = undefined;
  };
  const take = (event: SocketEvent) => {
    if (event.type === 'opened') note(to => to.opened());
    else if (event.type === 'text') note(to => to.received(event.text));
    else if (event.type === 'binary') note(to => to.receivedBinary());
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
      if (!link.heard) report();
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
    send(chunk) {
      socket?.send(chunk.bytes);
      const noted = kept && !tap ? { ...chunk, bytes: chunk.bytes.slice() } : chunk;
      note(to => to.audio(noted));
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
    report,
    close() {
      isClosed = true;
      reportClose('client', { code: 1000, reason: '' });
      socket?.close();
    },
  };
}
