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
  if (!socket.writable) {
    socket.destroy();
    return;
  }
  const problem = problemBody(error, baseUrl);
  const body = JSON.stringify(problem);
  const headers = { ...error.headers, ...(requestId !== undefined && { [REQUEST_ID_HEADER]: requestId }) };
  const head = [
    `HTTP/1.1 ${problem.status} ${STATUS_CODES[problem.status]}`,
    'Connection: close',
    `Content-Type: ${PROBLEM_MEDIA_TYPE}`,
    `Content-Length: ${Buffer.byteLength(body)}`,
    ...Object.entries(headers).map(([name, value]) => `${name}: ${value}`),
  ];
  // Without a listener, a reset by the client would end the process.
  socket.on('error', () => socket.destroy());
  socket.end(`${head.join('\r\n')}\r\n\r\n${body}`, () => socket.destroy());
}
