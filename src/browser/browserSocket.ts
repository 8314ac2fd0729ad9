import type { SocketEvent, StreamSocket } from '../client/stream/socket.ts';
import { MAX_MESSAGE_BYTES } from '../protocol/limits.ts';

/** Milliseconds between two looks at the bytes that wait, which the browser does not report. */
const LOOK_MS = 100;

/** Milliseconds in which no waiting byte leaves the page before a connection counts as lost. */
const STUCK_MS = 10_000;

/**
 * Bytes that the systems and proxies between a page and a service hold at most. A page cannot send pings: audio counts as
 * read when so much more of it has left the page.
 */
const IN_TRANSIT_BYTES = 4 * 1024 * 1024;

/** Connects with the WebSocket of the browser. Every failure comes as `closed`. */
export function openBrowserSocket(address: URL, onEvent: (event: SocketEvent) => void): StreamSocket {
  const socket = new WebSocket(address);
  let opened = false;
  let silent = false;
  let sentBytes = 0;
  /** Bytes that had left the page at the last look, and when the last one left. */
  let leftBytes = 0;
  let leftMs = 0;
  /** Bytes sent before each ping that is not answered. */
  const pings: number[] = [];
  let timer: ReturnType<typeof setTimeout> | undefined;

  const end = () => {
    silent = true;
    clearTimeout(timer);
    removeEventListener('offline', onOffline);
    socket.close();
  };
  const lose = (message: string) => {
    end();
    onEvent({ type: 'closed', close: { opened, code: 1006, reason: '', cause: new Error(message) } });
  };
  const onOffline = () => lose('The browser is offline.');
  const look = () => {
    timer = undefined;
    const left = sentBytes - socket.bufferedAmount;
    const hasMoved = left > leftBytes;
    if (hasMoved) [leftBytes, leftMs] = [left, performance.now()];
    else if (performance.now() - leftMs > STUCK_MS) return lose('No audio leaves the page.');
    if (left < sentBytes) timer = setTimeout(look, LOOK_MS);
    while (pings[0] !== undefined && pings[0] + IN_TRANSIT_BYTES <= left) {
      pings.shift();
      onEvent({ type: 'pong' });
    }
    if (hasMoved && !silent) onEvent({ type: 'writable' });
  };

  socket.onopen = () => {
    opened = true;
    onEvent({ type: 'opened' });
  };
  socket.onmessage = ({ data }) => {
    if (silent) return;
    if (typeof data !== 'string') onEvent({ type: 'binary' });
    else if (data.length <= MAX_MESSAGE_BYTES) onEvent({ type: 'text', text: data });
    else lose('A message of the service is too long.');
  };
  socket.onclose = ({ code, reason }) => {
    if (silent) return;
    end();
    onEvent({ type: 'closed', close: { opened, code, reason } });
  };
  addEventListener('offline', onOffline);

  return {
    get bufferedBytes() {
      return socket.bufferedAmount;
    },
    send(data) {
      socket.send(data as Uint8Array<ArrayBuffer> | string);
      sentBytes += data.length;
      if (timer !== undefined) return;
      leftMs = performance.now();
      timer = setTimeout(look, LOOK_MS);
    },
    ping: () => void pings.push(sentBytes),
    close: end,
  };
}
