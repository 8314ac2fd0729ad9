import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { type Clock, systemClock } from '../../../base/clock.ts';
import { messageOf, requirePositive } from '../../../base/errors.ts';
import { namedOptions } from '../../../base/namedOptions.ts';
import { listen } from '../../../web/listen.ts';
import { PAGE_HEADERS, pagesAt, sendPage } from '../../../web/pageFiles.ts';
import {
  checkPublicUrl,
  clientAddress,
  hostCheck,
  type TrustProxy,
  trustedProxies,
} from '../../../web/requestAddresses.ts';
import { limitConnections, REQUEST_TIMEOUTS } from '../../../web/serverLimits.ts';
import type { CaptionOutput, OutputOptions } from '../captionOutput.ts';
import { pageUrl, requirePageName } from './pageAddress.ts';
import type { PageChoice } from './pageText.ts';
import { PageTrack } from './pageTrack.ts';
import { PageViewers } from './pageViewers.ts';

/** The pages of the audience and of the operator. The path is the same from `src` and from `dist`. */
export const captionPages = pagesAt(URL.parse('../../../../dist/pages/', import.meta.url));

export interface CaptionPageOptions extends OutputOptions {
  /** Port to listen on; 0 for a free one. */
  readonly port: number;
  /**
   * Address to listen on. Default `127.0.0.1`, for a browser on the same computer; `0.0.0.0` lets phones on the network read
   * along.
   */
  readonly host?: string;
  /**
   * Address of the page for its viewers, as behind a reverse proxy. Requests for another host than this one, those of the
   * loopback address and, unless it listens there, those of the inner network are refused with status 421.
   */
  readonly publicUrl?: string;
  /**
   * Maximum number of viewers at once. Another viewer replaces one whose page has not shown for a minute that it reads, or which
   * is one of more than 20 of its network address that never did, as other programs than the page. Without these, it replaces
   * the latest viewer of the address with most of them, if its own address has less than a hundredth of the places; otherwise it
   * is refused with status 503. Default 2000.
   */
  readonly maxViewers?: number;
  /**
   * Addresses and networks of reverse proxies, such as `10.0.0.0/8`, that name the address of a viewer in `X-Forwarded-For`.
   * Default: none, so that all viewers behind a proxy have one address.
   */
  readonly trustProxy?: readonly string[];
  /** Default `systemClock`. */
  readonly clock?: Clock;
}

/** Defaults of {@link CaptionPageOptions}. */
export const PAGE_DEFAULTS = { host: '127.0.0.1', maxViewers: 2000 } as const;

/** Handler of a route. An error that it throws is answered with status 500. */
export type PageHandler = (
  request: IncomingMessage,
  response: ServerResponse,
  url: URL,
) => void | Promise<void>;

/** A web server with the captions for audiences and broadcast tools. */
export interface CaptionPage extends AsyncDisposable {
  /** Address for people: `publicUrl`, or with the computer's address in the network when the page can be reached from there. */
  readonly url: string;
  /** Addresses of all captions, in their order. */
  readonly addresses: readonly string[];
  /** Number of connected viewers. */
  readonly viewers: number;
  /**
   * Adds captions at `/NAME`, or at `/` for the name `''`. Without such a name, `/` is a list of several captions; `/A/B` leads
   * to captions named `A-B`.
   *
   * @throws InvalidArgumentError for a name that is in use, or has other characters than letters, digits, `.`, `_` and `-`
   */
  track(name: string, info?: { readonly title?: string; readonly language?: string }): CaptionOutput;
  /** Adds a handler for a path and everything below it; the longest path wins. */
  route(path: string, handler: PageHandler): void;
  /** Disconnects all viewers and stops listening. Idempotent. */
  close(): Promise<void>;
}

/** Headers that a handler may replace. */
const ROUTE_HEADERS = new Map(Object.entries({ ...PAGE_HEADERS, 'cache-control': 'no-store' }));

const OTHER_HOST = 'The page has no such address. Its operator can add one (--public-url).';

/** Bytes of the request line and all headers. */
const HEADER_BYTES = 8192;

/** Milliseconds after which a connection without traffic is dropped; viewers and operators get more frequent pings. */
const QUIET_MS = 20_000;

/** Milliseconds for the last bytes to slow viewers when the page is closed. */
const CLOSE_MS = 500;

/** Connections beyond those of viewers: each viewer loads the page with a few more. */
const OTHER_CONNECTIONS = 1000;

/**
 * Opens a web page with live captions: `track` gives an output for each of its addresses.
 *
 * @throws RxscribeError `unavailable` when the port is in use or not allowed; `unreadable-input` when the page is not built
 * @throws InvalidArgumentError for an option that is not valid
 * @example
 * await using page = await openCaptionPage({ port: 8080 });
 * const output = page.track('', { title: 'Town hall', language: 'en' });
 */
export async function openCaptionPage(options: CaptionPageOptions): Promise<CaptionPage> {
  namedOptions('CaptionPageOptions', options);
  const { port, host = PAGE_DEFAULTS.host, maxViewers = PAGE_DEFAULTS.maxViewers, publicUrl } = options;
  requirePositive('maxViewers', maxViewers);
  if (publicUrl !== undefined) checkPublicUrl(publicUrl);
  const trust = trustedProxies(options.trustProxy ?? []);
  captionPages.require('captions');
  const server = createServer({ ...REQUEST_TIMEOUTS, maxHeaderSize: HEADER_BYTES });
  server.timeout = QUIET_MS;
  limitConnections(server, maxViewers + OTHER_CONNECTIONS, trust);
  server.on('clientError', (_, socket) => socket.destroy());
  const usedPort = await listen(server, { host, port }, 'Cannot open the page');
  const url = publicUrl?.replace(/\/*$/, '/') ?? pageUrl(host, usedPort);
  const isMeant = hostCheck(host, publicUrl);
  return new PageServer({ server, url, isMeant, trust, maxViewers }, options);
}

/**
 * Checks whether the page can be opened: that it is built, and that its port is free.
 *
 * @throws RxscribeError as {@link openCaptionPage}
 * @example
 * console.log(await checkCaptionPage({ port: 8090, host: '0.0.0.0' }));
 */
export async function checkCaptionPage(options: CaptionPageOptions): Promise<string> {
  await using page = await openCaptionPage(options);
  return `The page can be opened at ${page.url}.`;
}

interface Track extends PageChoice {
  readonly output: PageTrack;
}

interface PageParts {
  readonly server: Server;
  readonly url: string;
  /** Returns whether the `Host` header of a request names the page. */
  readonly isMeant: (host: string | undefined) => boolean;
  readonly trust: TrustProxy;
  readonly maxViewers: number;
}

class PageServer implements CaptionPage {
  readonly url: string;
  readonly #parts: PageParts;
  readonly #options: CaptionPageOptions;
  readonly #clock: Clock;
  readonly #viewers: PageViewers;
  readonly #tracks = new Map<string, Track>();
  readonly #routes = new Map<string, PageHandler>();
  /** The list of all captions, for an address that names none of several. */
  readonly #list: Track;
  #closing: Promise<void> | undefined;
  #wasFull = false;

  constructor(parts: PageParts, options: CaptionPageOptions) {
    this.url = parts.url;
    this.#parts = parts;
    this.#options = options;
    this.#clock = options.clock ?? systemClock;
    this.#viewers = new PageViewers(parts.maxViewers, this.#clock);
    this.#list = { name: '', title: '', language: '', output: new PageTrack('list', this.#clock) };
    parts.server.on('request', (request, response) => void this.#answer(request, response));
  }

  get addresses(): readonly string[] {
    return [...this.#tracks.keys()].map(name => new URL(name, this.url).href);
  }

  get viewers(): number {
    return this.#viewers.count;
  }

  track(name: string, { title = '', language = '' } = {}): CaptionOutput {
    requirePageName(name, [...this.#tracks.keys()]);
    const output = new PageTrack(name === '' ? 'page' : `page/${name}`, this.#clock);
    this.#tracks.set(name, { name, title, language, output });
    return output;
  }

  route(path: string, handler: PageHandler): void {
    this.#routes.set(path, handler);
  }

  close(): Promise<void> {
    this.#closing ??= this.#close();
    return this.#closing;
  }

  [Symbol.asyncDispose]() {
    return this.close();
  }

  async #close(): Promise<void> {
    const { server } = this.#parts;
    const closed = once(server, 'close');
    for (const { output } of [this.#list, ...this.#tracks.values()]) output.end();
    server.close();
    server.closeIdleConnections();
    const force = this.#clock.schedule(CLOSE_MS, () => server.closeAllConnections());
    await closed;
    force();
  }

  async #answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    try {
      if (!this.#parts.isMeant(request.headers.host)) return sendText(response, 421, OTHER_HOST);
      const url = URL.parse(request.url ?? '/', 'http://page');
      if (!url) return sendText(response, 400, 'The address is not valid.');
      const handler = this.#handlerOf(url.pathname);
      if (handler) await handler(request, response.setHeaders(ROUTE_HEADERS), url);
      else if (request.method === 'GET' || request.method === 'HEAD') this.#get(request, response, url);
      else sendText(response, 405, 'This address can only be read.', { allow: 'GET, HEAD' });
    } catch (error) {
      this.#options.onNote?.(`The page could not answer a request: ${messageOf(error)}`);
      if (response.headersSent) response.destroy();
      else sendText(response, 500, 'The server could not answer.');
    }
  }

  #handlerOf(path: string): PageHandler | undefined {
    const matching = [...this.#routes].filter(([route]) => path === route || path.startsWith(`${route}/`));
    return matching.toSorted(([a], [b]) => b.length - a.length)[0]?.[1];
  }

  #get(request: IncomingMessage, response: ServerResponse, { pathname, search, searchParams }: URL): void {
    const path = pathname.slice(1);
    const joined = path.replace('/', '-');
    const [first, second] = this.#tracks.keys();
    const list = second === undefined ? undefined : this.#list;
    const isKnown = this.#tracks.has(path);
    const watched = this.#tracks.get(path.replace(/\/?events$/, '')) ?? list;
    const asset = captionPages.asset(request, path);
    const lead = (location: string) =>
      response.writeHead(302, { ...PAGE_HEADERS, location: `${location}${search}` }).end();
    const [, ping] = /(?:^|\/)events\/(\w+)$/.exec(path) ?? [];
    if (asset) sendPage(response, asset);
    else if (ping !== undefined) {
      this.#viewers.answer(ping);
      // Connections that all viewers keep would leave none for others.
      response.writeHead(204, { ...PAGE_HEADERS, 'cache-control': 'no-store', connection: 'close' }).end();
    } else if (/(^|\/)events$/.test(path) && watched) {
      this.#watch(request, response, watched, searchParams.get('after') ?? '');
    } else if (isKnown || (list && path === joined)) {
      const document = captionPages.document(request, 'captions', { mayBeFramed: true });
      sendPage(response, document, isKnown || path === '' ? 200 : 404);
    } else if (this.#tracks.has(joined)) lead(`../${joined}`);
    else if (path === '' && first !== undefined) lead(`./${first}`);
    else sendText(response, 404, 'There is no page at this address.');
  }

  #watch(request: IncomingMessage, response: ServerResponse, track: Track, after: string): void {
    if (request.method === 'HEAD') {
      sendText(response, 200, '', { 'content-type': 'text/event-stream; charset=utf-8' });
      return;
    }
    const { isFull } = this.#viewers;
    if (isFull && !this.#wasFull) this.#options.onNote?.(`The page is full, with ${this.viewers} viewers.`);
    this.#wasFull = isFull;
    const ping = this.#viewers.take(clientAddress(request, this.#parts.trust) ?? '', response);
    const { output, ...choice } = track;
    const choices = [...this.#tracks.values()].map(({ output: _, ...other }) => other);
    const address = new URL(choice.name, this.url).href;
    const lastId = String(request.headers['last-event-id'] ?? after);
    if (!ping) sendText(response, 503, 'There are too many viewers.', { 'retry-after': '10' });
    else output.addViewer(response, { ...choice, address, choices }, { lastId, ping });
  }
}

/** Answers a request with a text, of plain text unless `headers` name another type. */
export function sendText(
  response: ServerResponse,
  status: number,
  text: string,
  headers: Readonly<Record<string, string>> = {},
): void {
  const body = Buffer.from(text === '' ? '' : `${text}\n`);
  const type = { 'content-type': 'text/plain; charset=utf-8', 'content-length': body.length };
  response.writeHead(status, { ...PAGE_HEADERS, 'cache-control': 'no-store', ...type, ...headers }).end(body);
}
