/** A proxy between clients and one service, which lets connections fail and records sessions. */
import { type IncomingHttpHeaders, type IncomingMessage, request, type ServerResponse } from 'node:http';
import { request as secureRequest } from 'node:https';
import type { Socket } from 'node:net';
import { join } from 'node:path';
import { pipeline } from 'node:stream';
import { WebSocket, WebSocketServer } from 'ws';
import { bytesPerFrame } from '../../audio/format/format.ts';
import { InvalidArgumentError } from '../../base/errors.ts';
import { seeded } from '../../base/seeded.ts';
import { publicAddress, serviceAddress } from '../../client/serviceAccess.ts';
import { streamAddress } from '../../client/streamAddress.ts';
import { ACCESS_TOKEN_PARAMETER, STREAM_PATH } from '../../protocol/interfaceNames.ts';
import { parseStreamQuery, type StreamQuery } from '../../protocol/streamQuery.ts';
import { PendingFaults } from '../play/faults/connectionFaults.ts';
import type { FaultSchedule, PlannedPlayFault } from '../play/faults/faultSchedule.ts';
import {
  answerHandshake,
  answerProblem,
  type FaultServerAddress,
  handshakeResponse,
  reset,
  SOCKET_OPTIONS,
  startFaultServer,
} from '../play/server/faultServer.ts';
import { ProxyConnection, type ProxyConnectionOptions } from './proxyConnection.ts';
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
 * Starts a proxy before a service. A forwarded request has the client's path, query and token, and the service's address.
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
    onClose: () => service.close(),
  });
  return {
    url: server.url.http,
    get waitingFaults() {
      return service.faults.waiting;
    },
    close: server.close,
    [Symbol.asyncDispose]: server.close,
  };
}

/** Both sides of a connection: pings pass, and no compression hides the size of messages. */
const PASS_THROUGH = { ...SOCKET_OPTIONS, autoPong: false, skipUTF8Validation: true };

/** The service behind a proxy: it gets each request, whatever host the request names. */
class ProxiedService {
  readonly faults: PendingFaults;
  readonly #options: ProxyOptions;
  /** Address without a slash at its end. */
  readonly #base: string;
  readonly #webSockets = new WebSocketServer({ noServer: true, clientTracking: false, ...PASS_THROUGH });
  readonly #open = new Set<ProxyConnection>();
  #attempts = 0;

  constructor(options: ProxyOptions) {
    this.#options = options;
    this.faults = new PendingFaults(options.faults ?? [], 'proxy');
    const { username, password, search, origin, pathname } = serviceAddress(options.url, 'http');
    if (username || password || search)
      throw new InvalidArgumentError(
        'The service address must have no token and no query: clients send them.',
      );
    this.#base = origin + pathname.replace(new RegExp(`(${STREAM_PATH})?/?$`), '');
  }

  async close(): Promise<void> {
    await Promise.all([...this.#open].map(connection => connection.close()));
  }

  request(received: IncomingMessage, response: ServerResponse): void {
    const { url = '', method } = received;
    if (!isPath(url)) {
      answerProblem(response, 400);
      return;
    }
    const send = this.#base.startsWith('https:') ? secureRequest : request;
    const forwarded = send(this.#base + url, { method, headers: passed(received.headers), agent: false });
    forwarded.on('response', answer => pass(answer, response));
    forwarded.on('error', () => (response.headersSent ? response.destroy() : answerProblem(response, 502)));
    response.on('close', () => forwarded.destroy());
    pipeline(received, forwarded, () => {});
  }

  upgrade(request: IncomingMessage, tcp: Socket, head: Buffer): void {
    const index = this.#attempts++;
    const rejection = this.faults.of(index).rejection();
    if (rejection?.kind === 'http-status') answerHandshake(request, tcp, rejection.status);
    else if (rejection) reset(tcp);
    else if (isPath(request.url ?? '')) this.#connect(request, tcp, head, index);
    else answerHandshake(request, tcp, 400);
  }

  #connect(request: IncomingMessage, tcp: Socket, head: Buffer, index: number): void {
    const { url, headers } = request;
    const service = new WebSocket(`${this.#base}${url}`, { headers: passed(headers), ...PASS_THROUGH });
    const onClose = () => service.terminate();
    tcp.on('close', onClose);
    const onError = () => tcp.writable && answerHandshake(request, tcp, 502);
    service.on('error', onError);
    service.on('unexpected-response', (_, answer) => pass(answer, handshakeResponse(request, tcp)));
    service.on('open', () => {
      tcp.off('close', onClose);
      service.off('error', onError).on('error', () => {});
      service.pause();
      this.#webSockets.handleUpgrade(request, tcp, head, client => {
        client.on('error', () => {});
        this.#relay(request, index, { client, tcp, service });
      });
    });
  }

  #relay(
    { url = '', headers }: IncomingMessage,
    index: number,
    sides: Pick<ProxyConnectionOptions, 'client' | 'tcp' | 'service'>,
  ): void {
    const { seed = 0 } = this.#options;
    const parameters = new URLSearchParams(url.split('?', 2)[1]);
    const query = queryOf(parameters);
    const tokens = [
      parameters.get(ACCESS_TOKEN_PARAMETER) ?? '',
      headers.authorization?.split(' ').at(-1) ?? '',
    ];
    const raw = query?.contentType.kind === 'raw' ? query.contentType.format : undefined;
    const connection = new ProxyConnection({
      ...sides,
      faults: this.faults.of(index),
      random: seeded(seed + index),
      bytesPerSecond: raw && bytesPerFrame(raw) * raw.sampleRate,
      recording: this.#recording(index + 1, query, tokens),
    });
    this.#open.add(connection);
    sides.service.on('close', () => this.#open.delete(connection));
  }

  #recording(number: number, query: StreamQuery | undefined, tokens: readonly string[]) {
    const { record, url, onWarning } = this.#options;
    if (record === undefined) return undefined;
    return new SessionRecording({
      path: join(record, `session-${String(number).padStart(4, '0')}.cassette.jsonl`),
      address: publicAddress(streamAddress(url)),
      query,
      tokens,
      onFailure: reason => onWarning?.(`Connection ${number} is not recorded: ${reason}`),
    });
  }
}

/**
 * Returns whether a request names a path, not another host, as requests to a proxy of the web do. A fragment, which no target
 * may have, is refused by the WebSocket library with an error of its own.
 */
function isPath(url: string): boolean {
  return /^\/[^#]*$/.test(url);
}

function queryOf(parameters: URLSearchParams): StreamQuery | undefined {
  try {
    return parseStreamQuery(parameters);
  } catch {
    // The service refuses such a request.
    return undefined;
  }
}

/** Headers of a connection, which are not forwarded (RFC 9110, section 7.6.1). */
const OWN_HEADERS = /^(host|connection|keep-alive|upgrade|te|trailer|proxy-.*|sec-websocket-.*)$/;

function passed(headers: IncomingHttpHeaders): IncomingHttpHeaders {
  return Object.fromEntries(Object.entries(headers).filter(([name]) => !OWN_HEADERS.test(name)));
}

function pass(received: IncomingMessage, response: ServerResponse): void {
  response.writeHead(received.statusCode ?? 502, passed(received.headers));
  pipeline(received, response, () => {});
}
