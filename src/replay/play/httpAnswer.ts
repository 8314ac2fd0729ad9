import { STATUS_CODES } from 'node:http';
import type { Duplex } from 'node:stream';
import { PROBLEM_MEDIA_TYPE } from '../../protocol/interfaceNames.ts';

/** A problem as an HTTP answer has it. */
export function problemText(status: number): string {
  return JSON.stringify({ title: STATUS_CODES[status] ?? 'Answer of a cassette', status });
}

/** Answers a handshake, and ends its connection. */
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
