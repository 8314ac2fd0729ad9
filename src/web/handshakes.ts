import type { Server, ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';

const answers = new WeakMap<Duplex, ServerResponse>();

/** Remembers the last response of each connection of a server, for {@link isPipelined}. */
export function followAnswers(server: Server): void {
  server.on('request', (request, response) => void answers.set(request.socket, response));
}

/**
 * Returns whether a request came before an earlier one of its connection was answered. A handshake must not be: its socket
 * would be written by two answers at once.
 */
export function isPipelined({ socket }: { readonly socket: Duplex }): boolean {
  return answers.get(socket)?.closed === false;
}
