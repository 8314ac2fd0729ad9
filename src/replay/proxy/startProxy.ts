/** A proxy between clients and one service, which lets connections fail and records sessions. */
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { join } from 'node:path';
import type { PcmFormat } from '../../audio/format/format.ts';
import { type Clock, systemClock } from '../../base/clock.ts';
import { messageOf } from '../../base/errors.ts';
import { seeded } from '../../base/seeded.ts';
import { publicAddress } from '../../client/serviceAccess.ts';
import { streamAddress } from '../../client/streamAddress.ts';
import { ACCESS_TOKEN_PARAMETER } from '../../protocol/interfaceNames.ts';
import { parseStreamQuery, type StreamQuery } from '../../protocol/streamQuery.ts';
import { checkFaults, type FaultSchedule, type PlannedPlayFault } from '../play/faults/faultSchedule.ts';
import { type FaultServerAddress, startFaultServer } from '../play/server/faultServer.ts';
import { answerHandshake, reset } from '../play/server/rawTcp.ts';
import { ProxiedService } from './proxiedService.ts';
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
export async function startProxy(options: ProxyOptions): Promise<Proxy> {
  const { host, port, tls, faults = [] } = options;
  const connections = new Connections({ ...options, faults: checkFaults(faults, 'proxy') });
  const server = await startFaultServer({
    host,
    port,
    tls,
    onRequest: (request, response) => connections.request(request, response),
    onUpgrade: (request, client, head) => connections.upgrade(request, client, head),
    // An upload may take as long as it takes.
    requestTimeoutMs: 0,
  });
  let closing: Promise<void> | undefined;
  const close = () => {
    closing ??= server.close(() => connections.close());
    return closing;
  };
  return {
    url: `http${server.s}://${server.authority}`,
    get waitingFaults() {
      return connections.waitingFaults;
    },
    close,
    [Symbol.asyncDispose]: close,
  };
}

/** The WebSocket connections and other requests of a proxy. */
class Connections {
  readonly #options: ProxyOptions & { readonly faults: FaultSchedule };
  readonly #service: ProxiedService;
  readonly #clock: Clock;
  readonly #waitingFaults: (() => readonly PlannedPlayFault[])[] = [];
  readonly #open = new Set<ProxyConnection>();
  #attempts = 0;

  constructor(options: ProxyOptions & { readonly faults: FaultSchedule }) {
    this.#options = options;
    this.#clock = options.clock ?? systemClock;
    this.#service = new ProxiedService(options.url);
  }

  get waitingFaults(): readonly PlannedPlayFault[] {
    return this.#options.faults.flatMap((planned, index) => this.#waitingFaults[index]?.() ?? planned);
  }

  request(request: IncomingMessage, response: ServerResponse): void {
    this.#service.request(request, response);
  }

  upgrade(request: IncomingMessage, client: Socket, head: Buffer): void {
    const index = this.#attempts++;
    const faults = this.#options.faults[index] ?? [];
    const rejection = faults.find(({ kind }) => kind === 'refuse' || kind === 'http-status');
    if (rejection) {
      this.#waitingFaults[index] = () => faults.filter(fault => fault !== rejection);
      if (rejection.kind === 'http-status') answerHandshake(client, rejection.status);
      else reset(client);
      return;
    }
    this.#service.upgrade(request, client, (service, serviceHead) => {
      client.unshift(head);
      service.unshift(serviceHead);
      const connection = this.#connect(request, { client, service, index });
      if (faults.length > 0) this.#waitingFaults[index] = () => connection.waitingFaults;
      this.#open.add(connection);
      service.on('close', () => this.#open.delete(connection));
      connection.start();
    });
  }

  async close(): Promise<void> {
    await Promise.all([...this.#open].map(connection => connection.close()));
  }

  #connect(
    request: IncomingMessage,
    { client, service, index }: { readonly client: Socket; readonly service: Socket; readonly index: number },
  ): ProxyConnection {
    const { faults, seed = 0 } = this.#options;
    const parameters = new URLSearchParams(request.url?.split('?', 2)[1]);
    const query = queryOf(parameters);
    const raw = query?.contentType.kind === 'raw' ? query.contentType : undefined;
    const tokens = [parameters.get(ACCESS_TOKEN_PARAMETER), request.headers.authorization?.split(' ').at(-1)];
    const isFlat = raw?.layout === 'interleaved' || raw?.format.channels === 1;
    return new ProxyConnection({
      client,
      service,
      clock: this.#clock,
      faults: faults[index] ?? [],
      random: seeded(seed + index),
      format: raw?.format,
      recording: this.#recording(index, {
        query,
        format: isFlat ? raw?.format : undefined,
        tokens: tokens.filter(token => typeof token === 'string'),
      }),
    });
  }

  #recording(index: number, { query, format, tokens }: RecordedSession): SessionRecording | undefined {
    const { record, url, onWarning } = this.#options;
    if (record === undefined) return undefined;
    const onFailure = (reason: string) => onWarning?.(`Connection ${index + 1} is not recorded: ${reason}`);
    if (!query || !format) {
      onFailure('only raw samples of a valid query can be, frame by frame.');
      return undefined;
    }
    try {
      return new SessionRecording({
        path: join(record, `session-${String(index + 1).padStart(4, '0')}.cassette.jsonl`),
        address: publicAddress(streamAddress(url)),
        query,
        format,
        tokens,
        clock: this.#clock,
        onFailure,
      });
    } catch (error) {
      onFailure(messageOf(error));
      return undefined;
    }
  }
}

interface RecordedSession {
  readonly query: StreamQuery | undefined;
  readonly format: PcmFormat | undefined;
  readonly tokens: readonly string[];
}

function queryOf(parameters: URLSearchParams): StreamQuery | undefined {
  try {
    return parseStreamQuery(parameters);
  } catch {
    // The service refuses it.
    return undefined;
  }
}
