import { type ErrorCode, InvalidArgumentError, RxscribeError, refuseIf } from '../../base/errors.ts';
import { readBody } from '../../web/readBody.ts';
import { RetryLaterError } from './latestDelivery.ts';

/** The rules for a caption address of a service. */
export interface AddressRules {
  /** Name of the service, such as `YouTube`. */
  readonly service: string;
  /** Domain of the service. Addresses of other hosts are relays, whose query is not checked. */
  readonly domain: string;
  /** Sets of query parameters; an address of the service has all of one set. */
  readonly queries: readonly (readonly string[])[];
  /** True when the service gives out `http:` addresses that work with `https:` as well. */
  readonly upgradesHttp?: boolean;
}

/**
 * Returns the URL of a caption address. Its path and query are a secret, so it is only sent by `https:`, or by `http:` to the
 * machine itself.
 *
 * @throws InvalidArgumentError for an address that cannot work; the message has at most its host
 */
export function captionAddress(address: string, rules: AddressRules): URL {
  const { service, domain, queries, upgradesHttp = false } = rules;
  const url = URL.parse(address.trim());
  const isWeb = url?.protocol === 'https:' || url?.protocol === 'http:';
  const remedy = 'Copy it again, with https: at its start and without a user name';
  if (!url || !isWeb || url.username !== '' || url.password !== '')
    throw new InvalidArgumentError(`The ${service} caption address is not a web address. ${remedy}.`);
  url.hash = '';
  const isOfService = url.hostname === domain || url.hostname.endsWith(`.${domain}`);
  if (url.protocol === 'http:' && isOfService && upgradesHttp) url.protocol = 'https:';
  const place = `The ${service} caption address at '${url.host}'`;
  refuseIf(
    url.protocol === 'http:' && !isLoopback(url.hostname),
    `${place} begins with http:, so everyone on its way could read it. Use https:.`,
  );
  const isComplete = queries.some(names => names.every(name => url.searchParams.get(name)));
  const lacking = queries.map(names => names.map(name => `'${name}'`).join(' and ')).join(', or ');
  refuseIf(isOfService && !isComplete, `${place} lacks ${lacking} in its query. Copy it again, to its end.`);
  return url;
}

function isLoopback(hostname: string): boolean {
  return hostname === 'localhost' || hostname === '[::1]' || /^127(\.\d+){3}$/.test(hostname);
}

/** An answer of a caption address. */
export interface AddressAnswer {
  /** True for a status from 200 to 299. */
  readonly ok: boolean;
  readonly status: number;
  /** Beginning of the body if it was read, the number of bytes read, and the media type. */
  readonly text: string;
  readonly bytes: number;
  readonly type: string;
}

export interface AskOptions {
  /** Text of a POST. Without it, the request is a GET. */
  readonly body?: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** Maximum number of bytes that are read of the answer. Default 4096, as those of caption addresses have a number or a time. */
  readonly maxBytes?: number;
  /** True to read the body of an error as well. Default false. */
  readonly readsErrors?: boolean;
  readonly signal: AbortSignal;
}

/**
 * Sends a request to an address of a user. Redirects are not followed, as the path and the query are a secret.
 *
 * @throws RxscribeError `unreachable` without an answer; the message has the host only
 */
export async function askAddress(
  url: URL,
  { body, headers, maxBytes = 4096, readsErrors = false, signal }: AskOptions,
): Promise<AddressAnswer> {
  try {
    const method = body === undefined ? 'GET' : 'POST';
    const answer = await fetch(url, { method, redirect: 'manual', signal, body, headers });
    const { ok, status } = answer;
    const type = answer.headers.get('content-type') ?? '';
    if (!ok && !readsErrors) {
      await answer.body?.cancel();
      return { ok, status, text: '', bytes: 0, type };
    }
    const read = await readBody(answer.body, maxBytes);
    // Without a byte order mark.
    return { ok, status, text: new TextDecoder().decode(read), bytes: read.length, type };
  } catch (cause) {
    signal.throwIfAborted();
    throw new RxscribeError('unreachable', `No connection to '${url.host}' (${faultOf(cause)}).`, { cause });
  }
}

/** Returns the code of a failed request; messages may hold the address. */
function faultOf(thrown: unknown): string {
  const { cause, code } = thrown as { cause?: { code?: unknown }; code?: unknown };
  const fault = cause?.code ?? code;
  return typeof fault === 'string' ? fault : 'the connection broke';
}

const CODES: ReadonlyMap<number, ErrorCode> = new Map([
  [401, 'unauthorized'],
  [403, 'unauthorized'],
  [404, 'not-found'],
  [410, 'not-found'],
  [408, 'timeout'],
  [429, 'too-many-requests'],
]);

/**
 * Returns the error for an answer other than success.
 *
 * @param meanings meanings of statuses at this service, as a clause
 */
export function statusError(url: URL, status: number, meanings: ReadonlyMap<number, string>): RxscribeError {
  const meaning = meanings.get(status) ?? GENERAL.get(status);
  const code = CODES.get(status) ?? (status >= 500 ? 'unavailable' : 'protocol');
  const clause = meaning === undefined ? '' : `: ${meaning}`;
  return new RxscribeError(code, `'${url.host}' answered with status ${status}${clause}.`);
}

const GENERAL: ReadonlyMap<number, string> = new Map([
  ...[301, 302, 303, 307, 308].map(
    status => [status, 'it leads to another address, which is not followed'] as const,
  ),
  [401, 'the address is not valid, or no longer; copy it again'],
  [404, 'the address is not known there; copy it again'],
  [410, 'the address is no longer valid; copy it again'],
  [429, 'too many requests'],
]);

/** Transient statuses below 500. */
const TRANSIENT: readonly number[] = [408, 425, 429];

/**
 * Returns the error for an answer other than success. Later attempts wait longer, unless the status is transient.
 *
 * @param meanings as for {@link statusError}
 * @param retried further statuses that the service recommends to retry
 */
export function refusal(
  url: URL,
  status: number,
  meanings: ReadonlyMap<number, string>,
  retried: readonly number[] = [],
): Error {
  const error = statusError(url, status, meanings);
  const isTransient = status >= 500 || TRANSIENT.includes(status) || retried.includes(status);
  return isTransient ? error : new RetryLaterError(error);
}
