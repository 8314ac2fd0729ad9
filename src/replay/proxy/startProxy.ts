/** A proxy between clients and one service, which lets connections fail and records sessions. */
import {
  type IncomingHttpHeaders,
  type IncomingMessage,
  request as plainRequest,
  ServerResponse,
} from 'node:http';
import { request as secureRequest } from 'node:https';
import type { Socket } from 'node:net';
import { join } from 'node:path';
import { pipeline } from 'node:stream';
import { WebSocket, WebSocketServer } from 'ws';
import { bytesPerFrame } from '../../audio/format/format.ts';
import { type Clock, systemClock } from '../../base/clock.ts';
import { InvalidArgumentError, messageOf } from '../../base/errors.ts';
import { seeded } from '../../base/seeded.ts';
import { publicAddress, serviceAddress } from '../../client/serviceAccess.ts';
import { streamAddress } from '../../client/streamAddress.ts';
import { ACCESS_TOKEN_PARAMETER, PROBLEM_MEDIA_TYPE, STREAM_PATH } from '../../protocol/interfaceNames.ts';
import { parseStreamQuery, type StreamQuery } from '../../protocol/streamQuery.ts';
import { checkFaults, type FaultSchedule, type PlannedPlayFault } from '../play/faults/faultSchedule.ts';
import {
  FAULT_SERVER_LIMITS,
  type FaultServerAddress,
  startFaultServer,
} from '../play/server/faultServer.ts';
import { answerHandshake, problemText, reset } from '../play/server/rawTcp.ts';
import { ProxyConnection } from './proxyConnection.ts';
import { SessionRecording } from './sessionRecording.ts';

export interface ProxyOptions extends FaultServerAddress {
  /** Address of the service, or of its stream. */
  readonly url: string | URL;
  /** Faults of the WebSocket connections, in the order of their handshakes. Default: none. */
  readonly faults?: FaultSchedule;
  /** Seed of random delays. Default 0. */
  readonly seed?: number;
  /** Empty directory in which each session becomes a cassette. Default: none is recorded. */
  readonly record?: string;
  /** Called for each session that cannot be recorded. */
  readonly onWarning?: (message: string) => void;
  /** Default: the system clock. */
  readonly clock?: Clock;
}

export interface Proxy extends AsyncDisposable {
  /** Address for clients, in place of that of the service. */
  readonly url: string;
  /** Faults whose moment has not come, in the order of the connections. */
  readonly waitingFaults: readonly PlannedPlayFault[];
  /** Breaks all connections, completes the recordings and stops listening. Idempotent. */
  close(): Promise<void>;
}

/**
 * Starts a proxy before a service. Only the path and the query of a request are those of the client; its token passes
 * through.
 *
 * @throws InvalidArgumentError for faults that no connection has, and an address with a token or query; RxscribeError
 * `unavailable` when it cannot listen
 * @example
 * await using proxy = await startProxy({ url, faults: [[{ kind: 'cut', afterSeconds: 3 }]] });
 * const live = transcribe({ url: proxy.url, token });
 */
export async function startProxy({ host, port, tls, ...options }: ProxyOptions): Promise<Proxy> {
  const service = new ProxiedService(options);
  const server = await startFaultServer({
    ...{ host, port, tls },
    onRequest: (request, response) => service.request(request, response),
    onUpgrade: (request, tcp, head) => service.upgrade(request, tcp, head),
    // An upload may take as long as it takes.
    requestTimeoutMs: 0,
  });
  let closing: Promise<void> | undefined;
  const close = () => (closing ??= server.close(() => service.close()));
  return {
    url: `http${server.s}://${server.authority}`,
    get waitingFaults() {
      return service.waitingFaults;
    },
    close,
    [Symbol.asyncDispose]: close,
  };
}

/** Both sides of a connection: pings pass, and no compression hides the size of messages. */
const SOCKET_OPTIONS = {
  autoPong: false,
  perMessageDeflate: false,
  skipUTF8Validation: true,
  maxPayload: FAULT_SERVER_LIMITS.messageBytes,
  closeTimeout: 2000,
};

/** The service behind a proxy: each request goes there, whatever host it names. */
class ProxiedService {
  readonly #options: ProxyOptions;
  readonly #faults: FaultSchedule;
  readonly #address: URL;
  readonly #webSockets = new WebSocketServer({ noServer: true, clientTracking: false, ...SOCKET_OPTIONS });
  readonly #waitingFaults: (() => readonly PlannedPlayFault[])[] = [];
  readonly #open = new Set<ProxyConnection>();
  #attempts = 0;

  constructor(options: ProxyOptions) {
    this.#options = options;
    this.#faults = checkFaults(options.faults ?? [], 'proxy');
    this.#address = serviceAddress(options.url, 'http');
    const { username, password, search, pathname } = this.#address;
    if (username || password || search)
      throw new InvalidArgumentError(
        'The service address must have no token and no query: clients send them.',
      );
    this.#address.pathname = pathname.replace(new RegExp(`(${STREAM_PATH})?/?$`), '');
  }

  get waitingFaults(): readonly PlannedPlayFault[] {
    return this.#faults.flatMap((planned, index) => this.#waitingFaults[index]?.() ?? planned);
  }

  async close(): Promise<void> {
    await Promise.all([...this.#open].map(connection => connection.close()));
  }

  request(request: IncomingMessage, response: ServerResponse): void {
    const address = this.#addressOf(request);
    if (address === undefined) {
      answer(response, 400);
      return;
    }
    const send = address.startsWith('https:') ? secureRequest : plainRequest;
    const forwarded = send(address, {
      method: request.method,
      headers: passed(request.headers),
      agent: false,
    });
    forwarded.on('response', received => pass(received, response));
    forwarded.on('error', () => answer(response, 502));
    response.on('close', () => forwarded.destroy());
    pipeline(request, forwarded, () => {});
  }

  upgrade(request: IncomingMessage, tcp: Socket, head: Buffer): void {
    const index = this.#attempts++;
    const faults = this.#faults[index] ?? [];
    const rejection = faults.find(({ kind }) => kind === 'refuse' || kind === 'http-status');
    if (rejection) this.#waitingFaults[index] = () => faults.filter(fault => fault !== rejection);
    const address = this.#addressOf(request);
    if (rejection?.kind === 'http-status') answerHandshake(tcp, rejection.status);
    else if (rejection) reset(tcp);
    else if (address === undefined) answerHandshake(tcp, 400);
    else {
      const service = new WebSocket(address, { headers: passed(request.headers), ...SOCKET_OPTIONS });
      const onClose = () => service.terminate();
      tcp.on('close', onClose);
      const onError = () => tcp.writable && answerHandshake(tcp, 502);
      service.on('error', onError);
      service.on('unexpected-response', (_, received) => {
        const response = new ServerResponse(request);
        response.shouldKeepAlive = false;
        response.assignSocket(tcp);
        response.on('finish', () => tcp.end());
        pass(received, response);
      });
      service.on('open', () => {
        tcp.off('close', onClose);
        service.off('error', onError).on('error', () => {});
        service.pause();
        this.#webSockets.handleUpgrade(request, tcp, head, client => {
          client.on('error', () => {});
          this.#connect(request, { client, tcp, service, index, faults });
        });
      });
    }
  }

  #connect(
    request: IncomingMessage,
    {
      index,
      ...sides
    }: Pick<ConstructorParameters<typeof ProxyConnection>[0], 'client' | 'tcp' | 'service' | 'faults'> & {
      readonly index: number;
    },
  ): void {
    const { seed = 0, clock = systemClock } = this.#options;
    const parameters = new URLSearchParams(request.url?.split('?', 2)[1]);
    const query = queryOf(parameters);
    const tokens = [parameters.get(ACCESS_TOKEN_PARAMETER), request.headers.authorization?.split(' ').at(-1)];
    const raw = query?.contentType.kind === 'raw' ? query.contentType.format : undefined;
    const connection = new ProxyConnection({
      ...sides,
      clock,
      random: seeded(seed + index),
      bytesPerSecond: raw && bytesPerFrame(raw) * raw.sampleRate,
      recording: this.#recording(
        index,
        query,
        tokens.filter(token => typeof token === 'string'),
      ),
    });
    if (sides.faults.length > 0) this.#waitingFaults[index] = () => connection.waitingFaults;
    this.#open.add(connection);
    sides.service.on('close', () => this.#open.delete(connection));
  }

  #recording(index: number, query: StreamQuery | undefined, tokens: readonly string[]) {
    const { record, url, onWarning, clock = systemClock } = this.#options;
    if (record === undefined) return undefined;
    const onFailure = (reason: string) => onWarning?.(`Connection ${index + 1} is not recorded: ${reason}`);
    const path = join(record, `session-${String(index + 1).padStart(4, '0')}.cassette.jsonl`);
    const address = publicAddress(streamAddress(url));
    try {
      return new SessionRecording({ path, address, query, tokens, clock, onFailure });
    } catch (error) {
      onFailure(messageOf(error));
      return undefined;
    }
  }

  /** Returns the address at the service; undefined for a request that names another host, as to a proxy of the web. */
  #addressOf({ url = '' }: IncomingMessage): string | undefined {
    const { origin, pathname } = this.#address;
    return url.startsWith('/') ? origin + pathname.replace(/\/$/, '') + url : undefined;
  }
}

function queryOf(parameters: URLSearchParams): StreamQuery | undefined {
  try {
    return parseStreamQuery(parameters);
  } catch {
    // The service refuses it.
    return undefined;
  }
}

/** Headers of one connection, not of what it carries (RFC 9110, section 7.6.1). */
const OWN_HEADERS = /^(host|connection|keep-alive|upgrade|te|trailer|proxy-.*|sec-websocket-.*)$/;

function passed(headers: IncomingHttpHeaders): IncomingHttpHeaders {
  return Object.fromEntries(Object.entries(headers).filter(([name]) => !OWN_HEADERS.test(name)));
}

function pass(received: IncomingMessage, response: ServerResponse): void {
  response.writeHead(received.statusCode ?? 502, passed(received.headers));
  pipeline(received, response, () => {});
}

function answer(response: ServerResponse, status: number): void {
  if (response.headersSent) response.destroy();
  else response.writeHead(status, { 'content-type': PROBLEM_MEDIA_TYPE }).end(problemText(status));
}
