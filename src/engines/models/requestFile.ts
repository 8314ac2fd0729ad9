/** Requests of files over HTTP, from any byte on. */
import { RxscribeError } from '../../base/errors.ts';

/** A failure that may be temporary: a broken connection, an overloaded server. */
export class TransientFailure extends Error {}

export interface FileRequest {
  /** Offset of the first byte. Default 0. */
  readonly from?: number;
  /** Validator of the existing bytes; if the file has changed, it is sent from the start. */
  readonly validator?: string;
  readonly signal: AbortSignal;
}

/** The rest of a file, or all of it. */
export interface FileAnswer {
  /** Offset of the first byte that is sent. */
  readonly start: number;
  /** Size of the whole file, if the server sends it. */
  readonly totalBytes?: number;
  /** Identifies this content in the next request. */
  readonly validator?: string;
  readonly body: AsyncIterable<Uint8Array>;
}

const MAX_REDIRECTS = 5;
const REDIRECTS = new Set([301, 302, 303, 307, 308]);
/** Status when the existing bytes are longer than the file. */
const RANGE_NOT_SATISFIABLE = 416;
const TOO_EARLY_OR_BUSY = new Set([408, 425, 429]);
/**
 * Error codes of the system and of undici for connections that may succeed later; a bad certificate is
 * permanent.
 */
const BROKEN_CONNECTION = new Set(
  'ECONNREFUSED ECONNRESET ECONNABORTED EPIPE ETIMEDOUT ENOTFOUND EAI_AGAIN EHOSTUNREACH EHOSTDOWN ENETUNREACH ENETDOWN UND_ERR_CONNECT_TIMEOUT UND_ERR_HEADERS_TIMEOUT UND_ERR_SOCKET'.split(
    ' ',
  ),
);

/**
 * Requests a file over https, or http where the URL says so, and follows redirects.
 *
 * @throws the signal's reason; TransientFailure; RxscribeError `download` for permanent failures
 */
export async function requestFile(url: string, request: FileRequest): Promise<FileAnswer> {
  const { from = 0, validator, signal } = request;
  // Compressed content has other offsets.
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
    throw downloadError(shown(url), `the server sent another range than from byte ${from}`);
  }
  const totalBytes = range?.[2] === '*' ? undefined : Number(range?.[2]);
  return { ...answer, start: from, totalBytes };
}

interface Init {
  readonly headers: Record<string, string>;
  readonly signal: AbortSignal;
}

/** Follows redirects itself: a request goes out only to addresses that are as safe as the first one. */
async function follow(address: string, init: Init): Promise<Response> {
  const first = URL.parse(address);
  if (!first || hasCredentials(first)) {
    throw new RxscribeError(
      'download',
      'Cannot download: the URL is invalid, or has a user name or password.',
    );
  }
  let url = first;
  for (let redirects = 0; redirects <= MAX_REDIRECTS; redirects++) {
    const response = await get(url, init);
    if (!REDIRECTS.has(response.status)) return response;
    await response.body?.cancel();
    url = redirectTarget(url, response, shown(first));
  }
  throw downloadError(shown(first), `there were more than ${MAX_REDIRECTS} redirects`);
}

function redirectTarget(url: URL, { headers }: Response, what: string): URL {
  const next = URL.parse(headers.get('location') ?? '', url.href);
  if (!next) throw downloadError(what, 'a redirect has no valid target');
  const isSafe = next.protocol === 'https:' || (next.protocol === 'http:' && url.protocol === 'http:');
  if (!isSafe) throw downloadError(what, `a redirect leads to ${next.protocol} instead of https:`);
  if (hasCredentials(next)) throw downloadError(what, 'a redirect has a user name or password');
  return next;
}

function hasCredentials({ username, password }: URL): boolean {
  return username !== '' || password !== '';
}

async function get(url: URL, init: Init): Promise<Response> {
  try {
    return await fetch(url, { ...init, redirect: 'manual' });
  } catch (cause) {
    init.signal.throwIfAborted();
    const code = faultText(cause);
    if (isBrokenConnection(code)) {
      throw new TransientFailure(`no connection to ${url.host} (${code})`, { cause });
    }
    throw downloadError(shown(url), `the connection failed (${code})`, cause);
  }
}

function failureOf(status: number, url: string): Error {
  if (status >= 500 || TOO_EARLY_OR_BUSY.has(status)) return new TransientFailure(`status ${status}`);
  return downloadError(shown(url), `the server answered with status ${status}`);
}

/** Returns the error of a download that cannot succeed later. */
export function downloadError(what: string, reason: string, cause?: unknown): RxscribeError {
  return new RxscribeError('download', `Cannot download '${what}': ${reason}.`, cause ? { cause } : {});
}

/** Returns the validator of a response; a weak tag does not identify bytes. */
function validatorOf(headers: Headers): string | undefined {
  const tag = headers.get('etag');
  return tag && !tag.startsWith('W/') ? tag : (headers.get('last-modified') ?? undefined);
}

function lengthOf(headers: Headers): number | undefined {
  const length = headers.get('content-length');
  return length === null ? undefined : Number(length);
}

/** Returns a URL without its query, which may be a signature. */
function shown(url: string | URL): string {
  const { origin, pathname } = new URL(url);
  return origin + pathname;
}

/** Returns whether a code is that of a connection that may succeed later. */
export function isBrokenConnection(code: string): boolean {
  return BROKEN_CONNECTION.has(code);
}

/** Returns the cause of a failed request: a code, or words that cannot be a URL with its query. */
export function faultText(thrown: unknown): string {
  const { cause, code } = thrown as { cause?: { code?: string; message?: string }; code?: unknown };
  if (cause?.code) return cause.code;
  if (typeof code === 'string') return code;
  return cause?.message && /^[a-z ]+$/i.test(cause.message) ? cause.message : 'an unknown fault';
}
