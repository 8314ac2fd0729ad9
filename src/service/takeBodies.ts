import type { IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import type { FastifyInstance } from 'fastify';
import type { Clock } from '../base/clock.ts';
import type { HttpLimits } from './limits.ts';
import { refuseCrowded } from './refuseCrowded.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** Bytes of the body, where it is JSON. */
    bodyBytes: number;
  }
}

export interface BodyOptions {
  readonly limits: HttpLimits;
  readonly clock: Clock;
  /** Called when a body does not arrive. */
  readonly onStall: (socket: Socket) => void;
}

/**
 * Bodies of JSON and forms, however they are sent: an empty one is none, whatever its type. None may take for ever, and
 * a client that is answered before it has sent all of it gets to read the answer.
 */
export function takeBodies(app: FastifyInstance, options: BodyOptions): void {
  app.removeContentTypeParser(['application/json', 'text/plain']);
  app.decorateRequest('bodyBytes', 0);
  const parseJson = app.getDefaultJsonParser('error', 'error');
  app.addContentTypeParser('application/json', { parseAs: 'buffer' }, (request, body, done) => {
    request.bodyBytes = body.length;
    if (body.length === 0) return done(null, undefined);
    try {
      refuseCrowded(body as Buffer);
    } catch (error) {
      return done(error as Error);
    }
    parseJson(request, body.toString(), done);
  });
  app.addHook('onRequest', async ({ raw }) => {
    if (hasBody(raw)) watchBody(raw, options);
  });
  // Before the answer ends: what is not being read by then is passed over without a count.
  app.addHook('onSend', async ({ raw }) => {
    if (!raw.complete) linger(raw, options);
  });
}

function hasBody({ headers }: IncomingMessage): boolean {
  return headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;
}

/** Ends a request whose body comes too slowly to be honest. */
function watchBody(request: IncomingMessage, { limits, clock, onStall }: BodyOptions): void {
  const { socket } = request;
  let seenBytes = socket.bytesRead;
  const look = () => {
    if (request.complete) return;
    if (socket.bytesRead - seenBytes < limits.bodySpanBytes) {
      onStall(socket);
      return;
    }
    seenBytes = socket.bytesRead;
    cancel = clock.schedule(limits.bodySpanMs, look);
  };
  let cancel = clock.schedule(limits.bodySpanMs, look);
  request.once('close', () => cancel());
}

/** Takes in what is still sent of a body, up to some time and size. */
function linger(request: IncomingMessage, { limits, clock }: BodyOptions): void {
  const { socket } = request;
  const lastByte = socket.bytesRead + limits.lingerBytes;
  request.unpipe();
  request.on('data', () => {
    if (socket.bytesRead > lastByte) socket.destroy();
  });
  // Whoever was unpiped has paused it: it would never close, and the time limit end a connection that is used again.
  request.resume();
  const cancel = clock.schedule(limits.lingerMs, () => socket.destroy());
  request.once('close', cancel);
}
