import { STATUS_CODES } from 'node:http';
import type { Duplex } from 'node:stream';
import { PROBLEM_MEDIA_TYPE } from '../../protocol/interfaceNames.ts';
import { type ProblemError, problemBody } from '../problems.ts';
import { REQUEST_ID_HEADER } from '../telemetry/requestId.ts';

/** Writes a problem to the socket of a request that has no response object, then ends the connection. */
export function answerOnSocket(
  socket: Duplex,
  error: ProblemError,
  { baseUrl, requestId }: { readonly baseUrl: string; readonly requestId?: string },
): void {
  const problem = problemBody(error, baseUrl);
  const headers = { ...error.headers, ...(requestId !== undefined && { [REQUEST_ID_HEADER]: requestId }) };
  answerJson(socket, { status: problem.status, type: PROBLEM_MEDIA_TYPE, headers, json: problem });
}

/** An answer in JSON. */
export interface JsonAnswer {
  readonly status: number;
  /** Media type. */
  readonly type: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly json: object;
}

/** Writes an answer to the socket of a request that has no response object, then ends the connection. */
export function answerJson(socket: Duplex, { status, type, headers, json }: JsonAnswer): void {
  if (!socket.writable) {
    socket.destroy();
    return;
  }
  const body = JSON.stringify(json);
  const head = [
    `HTTP/1.1 ${status} ${STATUS_CODES[status]}`,
    'Connection: close',
    `Content-Type: ${type}`,
    `Content-Length: ${Buffer.byteLength(body)}`,
    ...Object.entries(headers).map(([name, value]) => `${name}: ${value}`),
  ];
  // Without a listener, a reset by the client would end the process.
  socket.on('error', () => socket.destroy());
  socket.end(`${head.join('\r\n')}\r\n\r\n${body}`, () => socket.destroy());
}
