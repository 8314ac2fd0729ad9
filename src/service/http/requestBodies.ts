import type { IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import { Transform } from 'node:stream';
import { promisify } from 'node:util';
import type { FastifyInstance, FastifyRequest, RequestPayload } from 'fastify';
import type { Clock } from '../../base/clock.ts';
import type { HttpLimits } from '../limits.ts';
import { tooManyRequests } from '../problems.ts';
import { createTally } from '../rateLimits/tally.ts';
import { refuseComplexJson } from './refuseComplexJson.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** Bytes of a JSON body. */
    bodyBytes: number;
    /** Memory held by the JSON of the request, the options of a form included. */
    heldBody: HeldBody;
  }
  interface FastifyContextConfig {
    /** True for a route that writes a body other than JSON to the disk as it arrives. Default: forms only. */
    takesMedia?: boolean;
  }
}

export interface BodyOptions {
  readonly limits: HttpLimits;
  readonly clock: Clock;
  /** Called when a body arrives too slowly. */
  readonly onStall: (socket: Socket, requestId: string) => void;
}

/**
 * Accepts bodies of JSON and forms. An empty body counts as absent, whatever its type; a slow one is ended; and a client that
 * is answered before it has sent all of its body can read the answer.
 */
export function acceptBodies(app: FastifyInstance, options: BodyOptions): void {
  app.removeContentTypeParser(['application/json', 'text/plain']);
  app.decorateRequest('bodyBytes', 0);
  const parseJson = promisify(app.getDefaultJsonParser('error', 'error'));
  app.addContentTypeParser(
    'application/json',
    { parseAs: 'buffer' },
    async (request: FastifyRequest, body: Buffer) => {
      request.bodyBytes = body.length;
      if (body.length === 0) return undefined;
      await refuseComplexJson(body);
      return parseJson(request, body.toString());
    },
  );
  holdBodies(app, options.limits);
  app.addHook('onRequest', async request => {
    if (hasBody(request.raw)) watchBody(request, options);
  });
  // Called before the answer ends, so that the rest of the body is read without being counted.
  app.addHook('onSend', async ({ raw }) => {
    if (!raw.complete) linger(raw, options);
  });
}

/** Counts the JSON in memory until the request is answered. */
function holdBodies(app: FastifyInstance, limits: HttpLimits): void {
  const hold = createBodyMemory(limits);
  // This hook runs after authentication, so that the account is known.
  app.addHook('preParsing', async (request, reply, payload) => {
    const held = hold(request.accountId ?? '');
    request.heldBody = held;
    reply.raw.once('close', () => held[Symbol.dispose]());
    if (isSpooled(request) || !hasBody(request.raw)) return payload;
    const bytes = Number(request.headers['content-length'] ?? Number.NaN);
    if (Number.isNaN(bytes)) return counted(payload, held);
    // A body above its own limit is refused elsewhere.
    if (bytes <= request.routeOptions.bodyLimit) held.add(bytes);
    return payload;
  });
}

/** Returns a body of unknown length that is counted while it arrives. */
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
  // A route without a parser for the body reads nothing, so that no one else listens.
  counting.on('error', () => {});
  body.once('error', error => counting.destroy(error));
  return body.pipe(counting);
}

/** Returns whether the body goes to the disk as it arrives. */
function isSpooled({ headers, routeOptions }: FastifyRequest): boolean {
  const type = headers['content-type'] ?? '';
  return (
    /^multipart\//i.test(type) ||
    (routeOptions.config.takesMedia === true && !/^application\/json/i.test(type))
  );
}

function hasBody({ headers }: IncomingMessage): boolean {
  return headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;
}

/** Ends a request whose body arrives below the minimum rate, or whose JSON does not arrive in time. */
function watchBody(request: FastifyRequest, { limits, clock, onStall }: BodyOptions): void {
  const { raw, id } = request;
  const { socket } = raw;
  let seenBytes = socket.bytesRead;
  const lastMs = isSpooled(request) ? Number.POSITIVE_INFINITY : clock.now() + limits.bodyMs;
  const look = () => {
    if (raw.complete) return;
    if (socket.bytesRead - seenBytes < limits.bodySpanBytes || clock.now() >= lastMs) {
      onStall(socket, id);
      return;
    }
    seenBytes = socket.bytesRead;
    cancel = clock.schedule(limits.bodySpanMs, look);
  };
  let cancel = clock.schedule(limits.bodySpanMs, look);
  raw.once('close', () => cancel());
}

/** Reads the rest of a body, up to a limit of time and size. */
function linger(request: IncomingMessage, { limits, clock }: BodyOptions): void {
  const { socket } = request;
  const lastByte = socket.bytesRead + limits.lingerBytes;
  request.unpipe();
  request.on('data', () => {
    if (socket.bytesRead > lastByte) socket.destroy();
  });
  // Unpiping paused the request: it would never close, and the timer would end a connection that is reused.
  request.resume();
  const cancel = clock.schedule(limits.lingerMs, () => socket.destroy());
  request.once('close', cancel);
}

/** Milliseconds after which a client may try again, when other bodies fill the memory. */
const MEMORY_WAIT_MS = 10_000;

/** The memory of one body; disposing releases it. */
interface HeldBody extends Disposable {
  /** @throws ProblemError `tooManyRequests` when there is no room for this many more bytes */
  add(bytes: number): void;
}

/**
 * Creates a count of the bytes of all JSON in memory, from the first byte of a request to its answer. Returns a function that
 * counts the body of a request.
 */
function createBodyMemory({ accountBodiesBytes, bodiesBytes }: HttpLimits): (accountId: string) => HeldBody {
  const byAccount = createTally();
  let total = 0;
  return accountId => {
    let held = 0;
    const count = (bytes: number) => {
      byAccount.add(accountId, bytes);
      total += bytes;
      held += bytes;
    };
    return {
      add(bytes) {
        const others = byAccount.of(accountId) - held;
        // A single body has a limit of its own.
        const isFull = others > 0 && others + held + bytes > accountBodiesBytes;
        if (isFull || (total > held && total + bytes > bodiesBytes)) throw tooManyRequests(MEMORY_WAIT_MS);
        count(bytes);
      },
      [Symbol.dispose]: () => count(-held),
    };
  };
}
