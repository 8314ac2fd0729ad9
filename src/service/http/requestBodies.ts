import type { IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import { Transform } from 'node:stream';
import type { FastifyInstance, RequestPayload } from 'fastify';
import type { Clock } from '../../base/clock.ts';
import type { HttpLimits } from '../limits.ts';
import { tooManyRequests } from '../problems.ts';
import { refuseCrowded } from './refuseCrowded.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** Bytes of the body, where it is JSON. */
    bodyBytes: number;
    /** Its JSON in memory, the options of a form included. */
    heldBody: HeldBody;
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
export function acceptBodies(app: FastifyInstance, options: BodyOptions): void {
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
  holdBodies(app, options.limits);
  app.addHook('onRequest', async ({ raw }) => {
    if (hasBody(raw)) watchBody(raw, options);
  });
  // Before the answer ends: what is not being read by then is passed over without a count.
  app.addHook('onSend', async ({ raw }) => {
    if (!raw.complete) linger(raw, options);
  });
}

/** Counts JSON in memory until it is answered. */
function holdBodies(app: FastifyInstance, limits: HttpLimits): void {
  const memory = createBodyMemory(limits);
  // The account is known by then.
  app.addHook('preParsing', async (request, reply, payload) => {
    const held = memory.hold(request.accountId ?? '');
    request.heldBody = held;
    reply.raw.once('close', () => held[Symbol.dispose]());
    if (isForm(request.raw) || !hasBody(request.raw)) return payload;
    const bytes = Number(request.headers['content-length'] ?? Number.NaN);
    if (Number.isNaN(bytes)) return counted(payload, held);
    // What is too long is refused for that.
    if (bytes <= request.routeOptions.bodyLimit) held.add(bytes);
    return payload;
  });
}

/** A body of unknown length, which is counted while it comes. */
function counted(body: RequestPayload, held: HeldBody): RequestPayload {
  const counting = new Transform({
    transform(piece: Uint8Array, _encoding, done) {
      try {
        held.add(piece.length);
        done(null, piece);
      } catch (error) {
        done(error as Error);
      }
    },
  });
  body.once('error', error => counting.destroy(error));
  return body.pipe(counting);
}

function isForm({ headers }: IncomingMessage): boolean {
  return /^multipart\//i.test(headers['content-type'] ?? '');
}

function hasBody({ headers }: IncomingMessage): boolean {
  return headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;
}

/** Ends a request whose body comes too slowly to be honest, and one whose JSON has not come in time. */
function watchBody(request: IncomingMessage, { limits, clock, onStall }: BodyOptions): void {
  const { socket } = request;
  let seenBytes = socket.bytesRead;
  const lastMs = isForm(request) ? Number.POSITIVE_INFINITY : clock.now() + limits.bodyMs;
  const look = () => {
    if (request.complete) return;
    if (socket.bytesRead - seenBytes < limits.bodySpanBytes || clock.now() >= lastMs) {
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

/** Milliseconds after which a client may try again: others are being read until then. */
const MEMORY_WAIT_MS = 10_000;

/** The bytes of one body that is held in memory; disposing gives them back. */
export interface HeldBody extends Disposable {
  /** @throws ProblemError `tooManyRequests` when there is no room for so many bytes more */
  add(bytes: number): void;
}

/** A count of the bytes of all JSON that is held in memory, from its first byte to the answer. */
export interface BodyMemory {
  hold(accountId: string): HeldBody;
}

export function createBodyMemory({ accountBodiesBytes, bodiesBytes }: HttpLimits): BodyMemory {
  const ofAccounts = new Map<string, number>();
  let ofAll = 0;
  return {
    hold(accountId) {
      let held = 0;
      const count = (bytes: number) => {
        const ofAccount = (ofAccounts.get(accountId) ?? 0) + bytes;
        if (ofAccount > 0) ofAccounts.set(accountId, ofAccount);
        else ofAccounts.delete(accountId);
        ofAll += bytes;
        held += bytes;
      };
      return {
        add(bytes) {
          const others = (ofAccounts.get(accountId) ?? 0) - held;
          // One body alone is bounded by its own limit.
          const isFull = others > 0 && others + held + bytes > accountBodiesBytes;
          if (isFull || (ofAll > held && ofAll + bytes > bodiesBytes)) throw tooManyRequests(MEMORY_WAIT_MS);
          count(bytes);
        },
        [Symbol.dispose]: () => count(-held),
      };
    },
  };
}
