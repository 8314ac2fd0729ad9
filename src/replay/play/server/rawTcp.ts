import { type IncomingMessage, ServerResponse, STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';
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

/** Answers a request with the problem document of an HTTP status. */
export function answerProblem(response: ServerResponse, status: number): void {
  const title = STATUS_CODES[status] ?? 'Answer of a cassette';
  response.writeHead(status, { 'content-type': PROBLEM_MEDIA_TYPE }).end(JSON.stringify({ title, status }));
}

/** Returns the response to a handshake, after which the connection is closed. */
export function handshakeResponse(request: IncomingMessage, tcp: Socket): ServerResponse {
  const response = new ServerResponse(request);
  response.shouldKeepAlive = false;
  response.assignSocket(tcp);
  return response.on('finish', () => tcp.destroySoon());
}

/** Answers a handshake with an HTTP status and closes the connection. */
export function answerHandshake(request: IncomingMessage, tcp: Socket, status: number): void {
  answerProblem(handshakeResponse(request, tcp), status);
}
