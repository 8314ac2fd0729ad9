import { type ClientRequest, request as httpRequest, type IncomingMessage } from 'node:http';
import { request as httpsRequest } from 'node:https';
import { TLSSocket } from 'node:tls';
import packageJson from 'rxscribe/package.json' with { type: 'json' };
import type { Clock } from '../../base/clock.ts';
import type { AddressGuard } from './addressGuard.ts';
import { brokenConnection, describeConnectionError, OutboundError, tooLate } from './outboundError.ts';

/** A request to be sent. */
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
  /** Milliseconds to connect, including TLS. */
  readonly connectTimeoutMs: number;
  /** Milliseconds from the connection to all headers of the answer. */
  readonly answerTimeoutMs: number;
  /** Aborts the request; the reason is thrown. */
  readonly signal: AbortSignal;
}

/**
 * Sends a request on a connection of its own; resolves with the answer when its headers have arrived. Does not follow
 * redirects. The caller reads the body or destroys it; either ends the connection.
 *
 * @throws the signal's reason; OutboundError for a refused address or a failed exchange
 */
export function exchange(request: ExchangeRequest, options: ExchangeOptions): Promise<IncomingMessage> {
  const { guard, clock, connectTimeoutMs, answerTimeoutMs, signal } = options;
  return new Promise((resolve, reject) => {
    signal.throwIfAborted();
    guard.checkHost(request.url);
    const outgoing = open(request, guard);
    let answer: IncomingMessage | undefined;
    let cancelTimer = clock.schedule(connectTimeoutMs, () => fail(tooLate('connection', connectTimeoutMs)));
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
      cancelTimer = clock.schedule(answerTimeoutMs, () => fail(tooLate('answer', answerTimeoutMs)));
    });
    outgoing.once('response', response => {
      settle();
      // Errors after the body is no longer read must not end the process.
      response.on('error', () => {});
      answer = response;
      resolve(response);
    });
    outgoing.on('error', error => {
      if (answer) answer.destroy(describeConnectionError(error));
      else fail(describeConnectionError(error));
    });
    // An answer that switches to another protocol emits no other event.
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
      // Connections are not reused, so that each request is checked.
      agent: false,
      lookup: guard.lookup,
    });
  } catch (cause) {
    // Node's own message would show the value.
    throw new OutboundError('its headers cannot be sent', { cause });
  }
}

/** Checks the connection before anything is sent on it, and reports when it is open. */
function onConnection(
  outgoing: ClientRequest,
  guard: AddressGuard,
  fail: (error: unknown) => void,
  onOpen: () => void,
): void {
  outgoing.once('socket', socket => {
    const isSecure = socket instanceof TLSSocket;
    socket.once('connect', () => {
      try {
        guard.checkAddress(socket.remoteAddress);
        if (!isSecure) onOpen();
      } catch (error) {
        fail(error);
      }
    });
    if (isSecure) socket.once('secureConnect', onOpen);
  });
}

/** The User-Agent of requests. */
const USER_AGENT = `rxscribe/${packageJson.version}`;
