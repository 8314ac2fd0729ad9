import { type ClientOptions, WebSocket } from 'ws';
import { MAX_MESSAGE_BYTES } from '../../protocol/limits.ts';
import type { SocketEvent, StreamSocket } from './platform.ts';

/** Milliseconds that the TCP connection may stay open after the closing handshake. */
const CLOSE_TIMEOUT_MS = 2000;

/** `closeTimeout` is missing in the types of ws. */
const SOCKET_OPTIONS: ClientOptions & { readonly closeTimeout: number } = {
  perMessageDeflate: false,
  maxPayload: MAX_MESSAGE_BYTES,
  closeTimeout: CLOSE_TIMEOUT_MS,
};

/** Connects. Every failure comes as `closed`. */
export function openSocket(address: URL, onEvent: (event: SocketEvent) => void): StreamSocket {
  const socket = new WebSocket(address, SOCKET_OPTIONS);
  let opened = false;
  let silent = false;
  let answer: { readonly httpStatus: number; readonly reason: string } | undefined;
  let cause: Error | undefined;

  socket.on('open', () => {
    opened = true;
    if (!silent) onEvent({ type: 'opened' });
  });
  socket.on('message', (data, isBinary) => {
    if (silent) return;
    if (isBinary) onEvent({ type: 'binary' });
    else onEvent({ type: 'text', text: data.toString() });
  });
  socket.on('pong', () => !silent && onEvent({ type: 'pong' }));
  socket.on('unexpected-response', (_request, { statusCode = 0, statusMessage = '' }) => {
    answer = { httpStatus: statusCode, reason: statusMessage };
    socket.terminate();
  });
  // This listener stays for ever: ws emits errors even after `close()`.
  socket.on('error', error => {
    cause ??= error;
    socket.terminate();
  });
  socket.on('close', (code, reason) => {
    if (silent) return;
    const close = { opened, code, reason: reason.toString(), ...(answer ?? (cause && { cause })) };
    onEvent({ type: 'closed', close });
  });

  const mark = drainMarker(socket, () => {
    if (!silent) onEvent({ type: 'writable' });
  });
  return {
    get bufferedBytes() {
      return socket.bufferedAmount;
    },
    send(data, isMore = false) {
      socket.send(data);
      if (isMore || socket.bufferedAmount > 0) mark();
    },
    ping: () => socket.ping(),
    close() {
      silent = true;
      if (socket.readyState === WebSocket.OPEN) socket.close(1000);
      socket.terminate();
    },
  };
}

/**
 * Returns a function that marks what was sent so far; calls back when it has left the process.
 *
 * A callback for each frame would cost a tenth of the sending side. Instead an unsolicited pong goes behind the frames: it
 * is legal, never answered (RFC 6455, section 5.5.3), and leaves after everything before it.
 */
function drainMarker(socket: WebSocket, onDrained: () => void): () => void {
  let isPending = false;
  return function mark() {
    if (isPending) return;
    isPending = true;
    socket.pong(undefined, undefined, error => {
      isPending = false;
      // With an error the connection is at its end: `close` comes.
      if (error) return;
      if (socket.bufferedAmount > 0) mark();
      onDrained();
    });
  };
}
