import { type ClientRequest, request as httpRequest, type IncomingMessage } from 'node:http';
import { request as httpsRequest } from 'node:https';
import { TLSSocket } from 'node:tls';
import packageJson from 'rxscribe/package.json' with { type: 'json' };
import type { Clock } from '../../base/clock.ts';
import type { AddressGuard } from './addressGuard.ts';
import { brokenConnection, describeConnectionError, OutboundError, tooLate } from './outboundError.ts';

/** One request, to be sent as it is. */
export interface ExchangeRequest {
  readonly url: URL;
  readonly method: 'GET' | 'POST';
  readonly headers: Readonly<Record<string, string>>;
  /** Default: none. */
  readonly body?: Uint8Array;
}

export interface ExchangeOptions {
  readonly guard: AddressGuard;
  readonly clock: Clock;
  /** For a connection to stand, TLS included. */
  readonly connectTimeoutMs: number;
  /** From then on, for the request to be sent and all headers of the answer to come. */
  readonly answerTimeoutMs: number;
  /** Its reason is thrown. */
  readonly signal: AbortSignal;
}

/**
 * Sends a request on a connection of its own and gives the answer when its headers are there. Redirects are answers.
 * Whoever called reads the body or destroys it; either ends the connection.
 *
 * @throws the signal's reason; OutboundError for an address that is refused, and for whatever goes wrong
 */
export function exchange(request: ExchangeRequest, options: ExchangeOptions): Promise<IncomingMessage> {
  const { guard, clock, connectTimeoutMs, answerTimeoutMs, signal } = options;
  return new Promise((resolve, reject) => {
    signal.throwIfAborted();
    guard.checkHost(request.url);
    const outgoing = open(request, guard);
    let answer: IncomingMessage | undefined;
    let cancelTimer = clock.schedule(connectTimeoutMs, () => fail(tooLate('a connection', connectTimeoutMs)));
    const settle = () => {
      cancelTimer();
      signal.removeEventListener('abort', onAbort);
    };
    const fail = (error: unknown) => {
      settle();
      outgoing.destroy();
      reject(error);
    };
    const onAbort = () => fail(signal.reason);
    signal.addEventListener('abort', onAbort, { once: true });

    onConnection(outgoing, guard, fail, () => {
      cancelTimer();
      cancelTimer = clock.schedule(answerTimeoutMs, () => fail(tooLate('an answer', answerTimeoutMs)));
    });
    outgoing.once('response', response => {
      settle();
      // Also when nobody reads the body any more.
      response.on('error', () => {});
      answer = response;
      resolve(response);
    });
    outgoing.on('error', error => {
      if (answer) answer.destroy(describeConnectionError(error));
      else fail(describeConnectionError(error));
    });
    // The only sign of an answer that goes on in another protocol.
    outgoing.once('close', () => answer ?? fail(brokenConnection()));
    outgoing.end(request.body);
  });
}

function open({ url, method, headers, body }: ExchangeRequest, guard: AddressGuard): ClientRequest {
  const send = url.protocol === 'https:' ? httpsRequest : httpRequest;
  try {
    return send(url, {
      method,
      headers: {
        ...headers,
        'user-agent': USER_AGENT,
        ...(body && { 'content-length': String(body.byteLength) }),
      },
      // No connection is kept or shared: each is judged for itself.
      agent: false,
      lookup: guard.lookup,
    });
  } catch (cause) {
    // Not in words of Node: they would show the value.
    throw new OutboundError('wanted headers that can be sent, found others', { cause });
  }
}

/** Judges the connection before anything is sent on it, and tells when it stands. */
function onConnection(
  outgoing: ClientRequest,
  guard: AddressGuard,
  fail: (error: unknown) => void,
  whenStanding: () => void,
): void {
  outgoing.once('socket', socket => {
    const isSecure = socket instanceof TLSSocket;
    socket.once('connect', () => {
      try {
        guard.checkAddress(socket.remoteAddress);
        if (!isSecure) whenStanding();
      } catch (error) {
        fail(error);
      }
    });
    if (isSecure) socket.once('secureConnect', whenStanding);
  });
}

/** Who the service says it is, to those it asks. */
export const USER_AGENT = `rxscribe/${packageJson.version}`;
