import http, { type ClientRequest, type IncomingHttpHeaders, type IncomingMessage } from 'node:http';
import https from 'node:https';
import type { Clock } from '../../base/clock.ts';
import { createTimer } from '../../base/wait/timer.ts';
import { publicAddress } from '../serviceAccess.ts';
import {
  ConnectionLostError,
  networkCause,
  ProtocolError,
  type ServiceError,
  UnreachableError,
} from '../serviceErrors.ts';
import { deliverEarlyAnswer } from './earlyAnswer.ts';
import type { RequestBody } from './requestBody.ts';
import { RequestTimeoutError } from './requestErrors.ts';

/** A request and its limits. */
export interface Exchange {
  /** The purpose as a verb phrase, such as `get job a1`. */
  readonly action: string;
  readonly url: URL;
  readonly method: 'GET' | 'POST' | 'PATCH' | 'DELETE';
  /** Path of a local socket to connect to, instead of the host of the URL. */
  readonly socketPath?: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: RequestBody;
  readonly signal?: AbortSignal;
  /** Longest time without any data sent or received. */
  readonly timeoutMs: number;
  /** Largest accepted response. */
  readonly maxAnswerBytes: number;
  /**
   * Called with the data of a response with success, one piece after the other; its text is then empty, and a piece may have
   * any length. The total is undefined when it is not known in advance.
   */
  readonly save?: (bytes: Uint8Array, totalBytes: number | undefined) => Promise<void>;
  readonly clock: Clock;
}

export interface HttpAnswer {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly text: string;
}

/** A request in progress. */
interface Attempt {
  readonly exchange: Exchange;
  readonly request: ClientRequest;
  readonly idle: IdleTimer;
  readonly connected: Promise<void>;
  isConnected: boolean;
  /** True once the response has begun. */
  isAnswered: boolean;
}

/**
 * Sends a request and reads its response, whatever its status. A response that arrives during the upload stops the upload. The
 * body is always closed.
 *
 * @throws UnreachableError, ConnectionLostError, RequestTimeoutError, ProtocolError; the error of the body; the signal's reason
 */
export async function sendRequest(exchange: Exchange): Promise<HttpAnswer> {
  const { body, clock, timeoutMs, signal } = exchange;
  const { promise: failed, reject: fail } = Promise.withResolvers<never>();
  const idle = startIdleTimer(clock, timeoutMs, () => fail(idleError(exchange, timeoutMs)));
  const onAbort = () => fail(signal?.reason);
  signal?.addEventListener('abort', onAbort, { once: true });
  let request: ClientRequest | undefined;
  try {
    signal?.throwIfAborted();
    request = startRequest(exchange);
    const attempt = startAttempt(exchange, request, idle);
    const answered = takeAnswer(attempt);
    send(attempt).catch(fail);
    return await Promise.race([failed, answered]);
  } finally {
    signal?.removeEventListener('abort', onAbort);
    idle.stop();
    request?.destroy();
    body?.close();
  }
}

function startRequest({ url, method, headers, body, socketPath }: Exchange): ClientRequest {
  const secure = url.protocol === 'https:';
  return (secure ? https : http).request(url, {
    method,
    // Connections are used once: a server may close an idle connection at the moment of its reuse.
    agent: false,
    socketPath,
    headers: {
      ...headers,
      ...(body && { 'content-type': body.contentType }),
      ...(body?.length !== undefined && { 'content-length': body.length }),
    },
  });
}

function startAttempt(exchange: Exchange, request: ClientRequest, idle: IdleTimer): Attempt {
  const { promise: connected, resolve } = Promise.withResolvers<void>();
  const attempt: Attempt = { exchange, request, idle, connected, isConnected: false, isAnswered: false };
  request.on('socket', socket => {
    deliverEarlyAnswer(socket);
    socket.once(exchange.url.protocol === 'https:' ? 'secureConnect' : 'connect', () => {
      attempt.isConnected = true;
      idle.restart();
      resolve();
    });
  });
  return attempt;
}

async function send(attempt: Attempt): Promise<void> {
  const { exchange, request, idle } = attempt;
  if (exchange.body) {
    // Send the headers first, so that a rejected upload does not read its source.
    request.flushHeaders();
    await attempt.connected;
    // Waiting for a slow source does not count as idle time.
    idle.pause();
    for await (const chunk of exchange.body.chunks) {
      idle.restart();
      // Rejected or closed already: the rest of the source is not needed.
      if (attempt.isAnswered || request.destroyed) return;
      if (!request.write(chunk)) await drained(request);
      idle.pause();
    }
    idle.restart();
  }
  request.end();
}

/** Resolves when the request takes more data, or its connection has ended. */
function drained(request: ClientRequest): Promise<void> {
  return new Promise(resolve => {
    const done = () => {
      request.off('drain', done).off('close', done);
      resolve();
    };
    request.on('drain', done).on('close', done);
  });
}

function takeAnswer(attempt: Attempt): Promise<HttpAnswer> {
  const { exchange, request } = attempt;
  return new Promise((resolve, reject) => {
    const lost = (cause?: Error) => {
      // Once the response has begun, it reports errors itself.
      if (!attempt.isAnswered) reject(networkError(exchange, attempt.isConnected, cause));
    };
    request.on('error', lost);
    request.on('close', () => lost());
    request.on('response', response => {
      attempt.isAnswered = true;
      readAnswer(response, attempt).then(resolve, reject);
    });
  });
}

/** Reads a response. Must be called within its first event, so that received data is read before a later error. */
function readAnswer(response: IncomingMessage, { exchange, idle }: Attempt): Promise<HttpAnswer> {
  return new Promise((resolve, reject) => {
    const { statusCode = 0, headers } = response;
    const save = statusCode < 300 ? exchange.save : undefined;
    const length = headers['content-length'];
    const totalBytes = length === undefined ? undefined : Number(length);
    const chunks: Buffer[] = [];
    let bytes = 0;
    let saving = Promise.resolve();
    response.on('data', (chunk: Buffer) => {
      idle.restart();
      bytes += chunk.length;
      if (save) {
        response.pause();
        saving = save(chunk, totalBytes);
        saving.then(() => response.resume(), reject);
      } else if (bytes <= exchange.maxAnswerBytes) chunks.push(chunk);
      else reject(longAnswerError(exchange, exchange.maxAnswerBytes));
    });
    response.on('end', () => {
      const answer = { status: statusCode, headers, text: Buffer.concat(chunks).toString() };
      // The end may be known while the last piece is being saved.
      resolve(saving.then(() => answer));
    });
    response.on('error', error => reject(networkError(exchange, true, error)));
    response.on('close', () => reject(networkError(exchange, true)));
  });
}

/** Calls back once after a time without activity. */
interface IdleTimer {
  /** Reports activity. */
  restart(): void;
  /** Stops the timer until `restart`. */
  pause(): void;
  stop(): void;
}

/** Starts an idle timer. */
function startIdleTimer(clock: Clock, timeoutMs: number, onIdle: () => void): IdleTimer {
  const timer = createTimer(clock);
  let isStopped = false;
  const restart = () => {
    if (!isStopped) timer.start(timeoutMs, onIdle);
  };
  restart();
  return {
    restart,
    pause: timer.stop,
    stop() {
      isStopped = true;
      timer.stop();
    },
  };
}

function failure({ action, url }: Exchange, problem: string): string {
  return `Cannot ${action}: ${problem} (${publicAddress(url)}).`;
}

/** Returns the error of a connection that could not be made, or broke. */
function networkError(request: Exchange, isConnected: boolean, cause?: Error): ServiceError {
  const message = failure(request, cause ? networkCause(cause) : 'the connection ended');
  // Codes of the HTTP parser of Node.
  if (cause && 'code' in cause && String(cause.code).startsWith('HPE_')) {
    const advice = 'Check the address: the server there does not speak HTTP.';
    return new ProtocolError('protocol', message, { advice, cause });
  }
  if (!isConnected) {
    const advice = 'Check the address and the network, and that the service is running.';
    return new UnreachableError('unreachable', message, { advice, retry: true, cause });
  }
  const advice = 'Check the network and the service, then try again.';
  return new ConnectionLostError('connection-lost', message, { advice, retry: true, cause });
}

/** Returns the error of a request without any data for too long. */
function idleError(request: Exchange, timeoutMs: number): ServiceError {
  const message = failure(request, `no data for ${timeoutMs / 1000} s`);
  const advice = "Try again, or raise the option 'timeoutMs'.";
  return new RequestTimeoutError('timeout', message, { advice, retry: true });
}

function longAnswerError(request: Exchange, maxBytes: number): ServiceError {
  const message = failure(request, `the response is larger than ${maxBytes} bytes`);
  return new ProtocolError('protocol', message, { advice: "Raise the option 'maxAnswerBytes'." });
}
