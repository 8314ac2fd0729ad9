import type { RawData, WebSocket } from 'ws';
import type { Clock } from '../../base/clock.ts';
import { END_OF_STREAM } from '../../protocol/closeCodes.ts';

/** What a message costs beside its bytes; without it a flood of tiny ones would pass every bound. */
const MESSAGE_OVERHEAD_BYTES = 256;

export interface InboxOptions {
  /** Bytes that may wait to be taken before nothing more is read. */
  readonly waitingBytes: number;
  /** How long `messages()` waits for audio. */
  readonly idleMs: number;
  readonly clock: Clock;
  /** No audio came for so long. */
  readonly onIdle: () => void;
  /** A text that is not the end of the stream. */
  readonly onUnexpectedText: () => void;
}

/** The audio that a client sends, with the pressure back to it: nothing is read from the socket while too much waits. */
export interface Inbox {
  /** Begins to read; until then the socket stands still. */
  open(): void;
  /** Binary messages in order, up to the client's end of the stream or `close()`. To be iterated once. */
  messages(): AsyncGenerator<Uint8Array>;
  /** Drops what waits and all that still comes. Idempotent. */
  close(): void;
}

/** Takes a socket's messages from now on. */
export function createInbox(socket: WebSocket, options: InboxOptions): Inbox {
  const waiting: Uint8Array[] = [];
  let bytes = 0;
  let isOver = false;
  let wake = () => {};

  const finish = () => {
    isOver = true;
    // What comes now is passed over, but a close must be seen.
    socket.resume();
    wake();
  };
  const take = (message: Uint8Array) => {
    if (message.length === 0) return;
    waiting.push(message);
    bytes += message.length + MESSAGE_OVERHEAD_BYTES;
    if (bytes > options.waitingBytes) socket.pause();
    wake();
  };
  const onMessage = (data: RawData, isBinary: boolean) => {
    if (isOver) return;
    const message = data as Buffer;
    if (isBinary) take(message);
    else if (message.toString('latin1', 0, END_OF_STREAM.length + 1) === END_OF_STREAM) finish();
    else options.onUnexpectedText();
  };
  const arrival = () =>
    new Promise<void>(resolve => {
      const cancel = options.clock.schedule(options.idleMs, options.onIdle);
      wake = () => {
        wake = () => {};
        cancel();
        resolve();
      };
    });

  socket.on('message', onMessage);
  socket.pause();
  return {
    open: () => socket.resume(),
    async *messages() {
      for (;;) {
        const message = waiting.shift();
        if (message) {
          yield message;
          bytes -= message.length + MESSAGE_OVERHEAD_BYTES;
          if (!isOver && bytes <= options.waitingBytes / 2) socket.resume();
        } else if (isOver) return;
        else await arrival();
      }
    },
    close() {
      waiting.length = 0;
      bytes = 0;
      finish();
    },
  };
}
