import { RxscribeError } from '../../base/errors.ts';

/** What may be better the next time: a cut connection, a server that is overloaded. */
export class PassingFailure extends Error {}

export interface FileRequest {
  /** The first byte that is wanted. Default 0. */
  readonly from?: number;
  /** Of the bytes that are there already; when the file is another now, it comes from its beginning. */
  readonly validator?: string;
  readonly signal: AbortSignal;
}

/** The rest of a file, or all of it. */
export interface FileAnswer {
  /** Of the first byte that comes. */
  readonly start: number;
  /** Of the whole file, where the server tells. */
  readonly totalBytes?: number;
  /** Names this content to the server, for the next request. */
  readonly validator?: string;
  readonly body: AsyncIterable<Uint8Array>;
}

const MAX_REDIRECTS = 5;
const REDIRECTS = new Set([301, 302, 303, 307, 308]);
/** What is there already is of something longer. */
const RANGE_NOT_SATISFIABLE = 416;
const TOO_EARLY_OR_BUSY = new Set([408, 425, 429]);
/** Of the system and of undici: a connection that may hold the next time. A bad certificate stays bad. */
const BROKEN_CONNECTION = new Set(
  'ECONNREFUSED ECONNRESET ECONNABORTED EPIPE ETIMEDOUT ENOTFOUND EAI_AGAIN EHOSTUNREACH EHOSTDOWN ENETUNREACH ENETDOWN UND_ERR_CONNECT_TIMEOUT UND_ERR_HEADERS_TIMEOUT UND_ERR_SOCKET'.split(
    ' ',
  ),
);

/**
 * Asks for a file over https, or over http where the address says so, following redirects.
 *
 * @throws the signal's reason; PassingFailure; RxscribeError `download` for what will not pass
 */
export async function requestFile(url: string, request: FileRequest): Promise<FileAnswer> {
  const { from = 0, validator, signal } = request;
  // Packed content has other offsets.
  const headers: Record<string, string> = { 'accept-encoding': 'identity' };
  if (from > 0) headers.range = `bytes=${from}-`;
  if (from > 0 && validator) headers['if-range'] = validator;
  const response = await follow(url, { headers, signal });
  const { status, body } = response;
  if (status === RANGE_NOT_SATISFIABLE && from > 0) {
    await body?.cancel();
    return requestFile(url, { signal });
  }
  if ((status !== 200 && status !== 206) || !body) {
    await body?.cancel();
    throw failureOf(status, url);
  }
  const answer = { validator: validatorOf(response.headers), body };
  if (status === 200) return { ...answer, start: 0, totalBytes: lengthOf(response.headers) };
  const range = /^bytes (\d+)-\d+\/(\d+|\*)$/.exec(response.headers.get('content-range') ?? '');
  if (Number(range?.[1]) !== from) {
    await body.cancel();
    throw new RxscribeError('download', `download ${shown(url)}: wanted byte ${from} on, found another part`);
  }
  const totalBytes = range?.[2] === '*' ? undefined : Number(range?.[2]);
  return { ...answer, start: from, totalBytes };
}

async function follow(
  address: string,
  init: { readonly headers: Record<string, string>; readonly signal: AbortSignal },
): Promise<Response> {
  const first = URL.parse(address);
  if (!first || hasCredentials(first)) {
    throw new RxscribeError('download', 'download: wanted an address without user name and password');
  }
  let url = first;
  for (let redirects = 0; redirects <= MAX_REDIRECTS; redirects += 1) {
    const response = await get(url, init);
    if (!REDIRECTS.has(response.status)) return response;
    await response.body?.cancel();
    const next = URL.parse(response.headers.get('location') ?? '', url.href);
    const isSafe = next?.protocol === 'https:' || (next?.protocol === 'http:' && url.protocol === 'http:');
    if (!next || !isSafe) throw otherRedirect(first, `to https, found ${next ? next.protocol : 'none'}`);
    if (hasCredentials(next))
      throw otherRedirect(first, 'without user name and password, found one with them');
    url = next;
  }
  throw new RxscribeError('download', `download ${shown(first)}: found more than ${MAX_REDIRECTS} redirects`);
}

function hasCredentials({ username, password }: URL): boolean {
  return username !== '' || password !== '';
}

function otherRedirect(url: URL, wanted: string): RxscribeError {
  return new RxscribeError('download', `download ${shown(url)}: wanted a redirect ${wanted}`);
}

async function get(
  url: URL,
  init: { readonly headers: Record<string, string>; readonly signal: AbortSignal },
): Promise<Response> {
  try {
    return await fetch(url, { ...init, redirect: 'manual' });
  } catch (cause) {
    init.signal.throwIfAborted();
    const code = faultText(cause);
    if (isBrokenConnection(code)) {
      throw new PassingFailure(`no connection to ${url.host} (${code})`, { cause });
    }
    throw new RxscribeError('download', `download ${shown(url)}: wanted a connection, found ${code}`, {
      cause,
    });
  }
}

function failureOf(status: number, url: string): Error {
  if (status >= 500 || TOO_EARLY_OR_BUSY.has(status)) return new PassingFailure(`status ${status}`);
  return new RxscribeError('download', `download ${shown(url)}: wanted the file, found status ${status}`);
}

/** A weak tag names no bytes. */
function validatorOf(headers: Headers): string | undefined {
  const tag = headers.get('etag');
  return tag && !tag.startsWith('W/') ? tag : (headers.get('last-modified') ?? undefined);
}

function lengthOf(headers: Headers): number | undefined {
  const length = headers.get('content-length');
  return length === null ? undefined : Number(length);
}

/** Without a query, which may be a signature. */
function shown(url: string | URL): string {
  const { origin, pathname } = new URL(url);
  return origin + pathname;
}

/** Returns whether a code is of a connection that may hold the next time. */
export function isBrokenConnection(code: string): boolean {
  return BROKEN_CONNECTION.has(code);
}

/** What stopped a request or its answer: a code, or words that cannot be an address with its query. */
export function faultText(thrown: unknown): string {
  const { cause, code } = thrown as { cause?: { code?: string; message?: string }; code?: unknown };
  if (cause?.code) return cause.code;
  if (typeof code === 'string') return code;
  return cause?.message && /^[a-z ]+$/i.test(cause.message) ? cause.message : 'an unknown fault';
}
