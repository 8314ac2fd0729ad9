import { STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { TLSSocket } from 'node:tls';
import { PROBLEM_MEDIA_TYPE } from '../../../protocol/interfaceNames.ts';

/** Resets a connection after its written data has been sent. */
export function reset(tcp: Socket): void {
  // Node.js cannot reset the connection below TLS: it ends without the closing messages of TLS and WebSocket.
  const end = () => void (tcp instanceof TLSSocket ? tcp.destroy() : tcp.resetAndDestroy());
  if (tcp.writableLength === 0) end();
  else tcp.write('', end);
}

/** Discards everything the other side sends, so that neither a ping nor a close is answered. */
export function fallSilent(tcp: Socket): void {
  tcp.removeAllListeners('data');
  tcp.removeAllListeners('end');
  tcp.on('data', () => {});
  tcp.on('end', () => tcp.destroy());
}

/** Returns the problem document of an HTTP status. */
export function problemText(status: number): string {
  return JSON.stringify({ title: STATUS_CODES[status] ?? 'Answer of a cassette', status });
}

/** Answers a handshake with an HTTP status and closes the connection. */
export function answerHandshake(socket: Duplex, status: number): void {
  const body = problemText(status);
  const head = [
    `HTTP/1.1 ${status} ${STATUS_CODES[status] ?? ''}`,
    'Connection: close',
    `Content-Type: ${PROBLEM_MEDIA_TYPE}`,
    `Content-Length: ${Buffer.byteLength(body)}`,
  ];
  socket.end(`${head.join('\r\n')}\r\n\r\n${body}`, () => socket.destroy());
}
