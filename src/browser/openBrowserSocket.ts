import { reasonOf } from '../base/errors.ts';
import { UnreachableError } from '../client/serviceErrors.ts';
import type { SocketEvent, StreamSocket } from '../client/stream/platform.ts';
import { MAX_MESSAGE_BYTES } from '../protocol/limits.ts';

/** Milliseconds between two checks of the bytes that wait: a browser does not report when they leave the page. */
const CHECK_INTERVAL_MS = 100;

/** Milliseconds in which no waiting byte leaves the page before a connection counts as lost. */
const STUCK_MS = 10_000;

/**
 * Bytes that the systems and one proxy between a page and a service are assumed to hold at most: Linux took 4.2 MB of a live
 * stream to a service that had stopped reading, and 8.4 MB with a proxy between. A page cannot send pings: audio counts as read
 * when this many later bytes have left the page.
 */
const IN_TRANSIT_BYTES = 10 * 1024 * 1024;

/** Connects with the WebSocket of the browser. A connection that the page may not make comes as `failed`, any other failure as `closed`. */
export function openBrowserSocket(address: URL, onEvent: (event: SocketEvent) => void): StreamSocket {
  try {
    return follow(address, onEvent);
  } catch (cause) {
    // For `ws:` from a page of `https:`, and for ports that browsers refuse.
    const failed = refusal(reasonOf(cause), 'Give an address that the page may connect to.', cause);
    queueMicrotask(() => onEvent(failed));
    return { bufferedBytes: 0, send() {}, ping() {}, close() {} };
  }
}

function follow(address: URL, onEvent: (event: SocketEvent) => void): StreamSocket {
  const socket = new WebSocket(address);
  let opened = false;
  let isOver = false;
  let sentBytes = 0;
  /** Bytes that had left the page at the last check, and when the last of them left. */
  let flushedBytes = 0;
  let flushedMs = 0;
  /** Bytes sent before each ping that is not answered. */
  const pings: number[] = [];
  let timer: ReturnType<typeof setTimeout> | undefined;

  const end = () => {
    isOver = true;
    clearTimeout(timer);
    removeEventListener('offline', onOffline);
    stopWatching();
    socket.close(1000);
  };
  const endWith = (event: SocketEvent) => {
    end();
    onEvent(event);
  };
  const fail = (close: Partial<Close>) => endWith(closed({ opened, ...close }));
  const onOffline = () => fail({ cause: new Error('The browser is offline.') });
  const check = () => {
    timer = undefined;
    const bytes = sentBytes - socket.bufferedAmount;
    const hasMoved = bytes > flushedBytes;
    if (hasMoved) [flushedBytes, flushedMs] = [bytes, performance.now()];
    else if (performance.now() - flushedMs > STUCK_MS)
      return fail({ cause: new Error('No audio leaves the page.') });
    if (bytes < sentBytes) timer = setTimeout(check, CHECK_INTERVAL_MS);
    while (!isOver && pings[0] !== undefined && pings[0] + IN_TRANSIT_BYTES <= bytes) {
      pings.shift();
      onEvent({ type: 'pong' });
    }
    if (hasMoved && !isOver) onEvent({ type: 'writable' });
  };

  socket.onopen = () => {
    opened = true;
    stopWatching();
    if (!isOver) onEvent({ type: 'opened' });
  };
  socket.onmessage = ({ data }) => {
    if (isOver) return;
    if (typeof data !== 'string') onEvent({ type: 'binary' });
    else if (data.length <= MAX_MESSAGE_BYTES) onEvent({ type: 'text', text: data });
    else fail({ code: 1009, reason: 'a message of the service is too long' });
  };
  socket.onclose = ({ code, reason }) => {
    if (!isOver) fail({ code, reason });
  };
  addEventListener('offline', onOffline);
  const stopWatching = onBlocked(address, endWith);

  return {
    get bufferedBytes() {
      return socket.bufferedAmount;
    },
    send(data) {
      socket.send(data as Uint8Array<ArrayBuffer> | string);
      sentBytes += data.length;
      if (timer !== undefined) return;
      flushedMs = performance.now();
      timer = setTimeout(check, CHECK_INTERVAL_MS);
    },
    ping: () => void pings.push(sentBytes),
    close: end,
  };
}

type Close = Extract<SocketEvent, { type: 'closed' }>['close'];

/** Reports that the policy of the page blocks an address, for which Chromium fires no `close`. Returns a function that stops it. */
function onBlocked(address: URL, onEvent: (event: SocketEvent) => void): () => void {
  const onViolation = ({ disposition, effectiveDirective, blockedURI }: SecurityPolicyViolationEvent) => {
    if (disposition !== 'enforce' || effectiveDirective !== 'connect-src') return;
    // Some browsers shorten the address to its origin or scheme.
    if (!address.href.startsWith(blockedURI)) return;
    const reason = `connect-src of the page's Content-Security-Policy lacks '${address.origin}'`;
    onEvent(refusal(reason, `Add ${address.origin} to connect-src.`));
  };
  addEventListener('securitypolicyviolation', onViolation);
  return () => removeEventListener('securitypolicyviolation', onViolation);
}

/** The event of a connection that the browser refuses, now and later. */
function refusal(reason: string, advice: string, cause?: unknown): SocketEvent {
  const error = new UnreachableError('unreachable', `Cannot open a WebSocket: ${reason}.`, { advice, cause });
  return { type: 'failed', error };
}

function closed(close: Partial<Close> & Pick<Close, 'opened'>): SocketEvent {
  const { code = 1006, reason = '' } = close;
  return { type: 'closed', close: { ...close, code, reason } };
}
