import { type ClientOptions, WebSocket } from 'ws';
import type { SocketClose } from './closeErrors.ts';

/** Bytes of the longest message taken from a service; a final of 30 s of speech has some 20 kB. */
export const MAX_MESSAGE_BYTES = 1024 * 1024;

/** How long the TCP connection may stay after the closing handshake. */
const CLOSE_TIMEOUT_MS = 2000;

/** `closeTimeout` is missing in the types of ws. */
const SOCKET_OPTIONS: ClientOptions & { readonly closeTimeout: number } = {
  perMessageDeflate: false,
  maxPayload: MAX_MESSAGE_BYTES,
  closeTimeout: CLOSE_TIMEOUT_MS,
};

/** What a socket says. After `closed` it says nothing more. */
export interface SocketHandlers {
  opened(): void;
  text(text: string): void;
  binary(): void;
  pong(): void;
  /** Some of what was sent has left the process. */
  drained(): void;
  closed(close: SocketClose): void;
}

export interface StreamSocket {
  /** Bytes sent that are still in this process; the kernel takes some megabytes before any are. */
  readonly bufferedBytes: number;
  send(data: Uint8Array | string): void;
  ping(): void;
  /** Says good-bye if it can and is gone at once, without a word to the handlers. Idempotent. */
  close(): void;
}

/** Connects. Every way in which that can fail comes as `closed`. */
export function openSocket(address: URL, handlers: SocketHandlers): StreamSocket {
  const socket = new WebSocket(address, SOCKET_OPTIONS);
  let opened = false;
  let silent = false;
  let answer: { readonly httpStatus: number; readonly reason: string } | undefined;
  let cause: Error | undefined;

  socket.on('open', () => {
    opened = true;
    if (!silent) handlers.opened();
  });
  socket.on('message', (data, isBinary) => {
    if (silent) return;
    if (isBinary) handlers.binary();
    else handlers.text(data.toString());
  });
  socket.on('pong', () => !silent && handlers.pong());
  socket.on('unexpected-response', (_request, { statusCode = 0, statusMessage = '' }) => {
    answer = { httpStatus: statusCode, reason: statusMessage };
    socket.terminate();
  });
  // This listener stays for ever: ws emits errors also after it was told to close.
  socket.on('error', error => {
    cause ??= error;
    socket.terminate();
  });
  socket.on('close', (code, reason) => {
    if (silent) return;
    handlers.closed({
      opened,
      code,
      reason: reason.toString(),
      ...(answer ?? (cause && { cause })),
    });
  });

  const mark = drainMarker(socket, () => {
    if (!silent) handlers.drained();
  });
  return {
    get bufferedBytes() {
      return socket.bufferedAmount;
    },
    send(data) {
      socket.send(data);
      mark();
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
 * Gives a function to be called after each send, and calls back when what did not leave at once has left.
 *
 * A callback for each frame would cost a tenth of the sending side. Instead a pong that nobody asked for goes behind
 * the frames: it is legal, never answered (RFC 6455, section 5.5.3), and gone when all before it is.
 */
function drainMarker(socket: WebSocket, onDrained: () => void): () => void {
  let isPending = false;
  return function mark() {
    if (isPending || socket.bufferedAmount === 0) return;
    isPending = true;
    socket.pong(undefined, undefined, error => {
      isPending = false;
      // With an error the connection is at its end: `close` comes.
      if (error) return;
      mark();
      onDrained();
    });
  };
}
