import { InvalidArgumentError, reasonOf } from '../base/errors.ts';
import { ServiceError, UnauthorizedError } from './serviceErrors.ts';

/** Accepted schemes of a service address, and the scheme to use for WebSockets and for HTTP. */
const SCHEMES = {
  ws: { 'http:': 'ws:', 'https:': 'wss:', 'ws:': 'ws:', 'wss:': 'wss:' },
  http: { 'http:': 'http:', 'https:': 'https:', 'ws:': 'http:', 'wss:': 'https:' },
} as const;

/**
 * Returns the base address of a service, without trailing slashes.
 *
 * @throws InvalidArgumentError unless it is an absolute URL with an accepted scheme
 */
export function serviceAddress(base: string | URL, spoken: keyof typeof SCHEMES): URL {
  const schemes: Readonly<Record<string, string>> = SCHEMES[spoken];
  // An address that cannot be parsed is not shown: it may be a token in the wrong place.
  const text = String(base ?? '');
  const parsed = URL.parse(text);
  const scheme = parsed && schemes[parsed.protocol];
  if (!scheme) {
    throw new InvalidArgumentError(
      "The service address 'url' must be an absolute URL that begins with http://, https://, ws:// or wss://" +
        `${parsed ? `, not ${parsed.protocol}` : text === '' ? ', not empty' : ''}.`,
    );
  }
  const address = new URL(parsed);
  address.protocol = scheme;
  address.hash = '';
  address.pathname = address.pathname.replace(/\/+$/, '');
  return address;
}

/** Returns an address that is safe to show: without query, token and password. */
export function publicAddress(address: URL): string {
  return `${address.protocol}//${address.host}${address.pathname}`;
}

/**
 * Returns an access token unchanged.
 *
 * @throws InvalidArgumentError unless it consists of visible ASCII characters
 */
export function checkedToken(token: string): string {
  if (typeof token !== 'string') {
    throw new InvalidArgumentError(`The access token must be a string, not ${typeof token}.`);
  }
  if (/^[\x21-\x7e]+$/.test(token)) return token;
  throw new InvalidArgumentError(
    token === ''
      ? 'The access token must not be empty.'
      : 'The access token must consist of visible ASCII characters, without white space.',
  );
}

/** An access token, or a function that returns one, or the HTTP response whose body it is. */
export type TokenOption = string | (() => string | Response | Promise<string | Response>);

/**
 * Returns the option `token` unchanged. What a token consists of is checked before each connection.
 *
 * @throws InvalidArgumentError unless it is a string or a function
 */
export function checkedTokenOption(token: TokenOption, name = 'token'): TokenOption {
  if (typeof token === 'string' || typeof token === 'function') return token;
  throw new InvalidArgumentError(
    `Option '${name}' must be a string or a function that returns one, not ${typeof token}.`,
  );
}

/**
 * Resolves with an access token, given as a string or by a function.
 *
 * @throws ServiceError of the function; UnauthorizedError for a response with another status than 2xx, and for any other error
 * of the function, retryable unless the status of the response, or the `status` of the error, is final
 */
export async function accessToken(token: TokenOption): Promise<string> {
  if (typeof token === 'string') return token;
  try {
    const given = await token();
    return given instanceof Response ? await tokenIn(given) : given;
  } catch (cause) {
    if (cause instanceof ServiceError) throw cause;
    const httpStatus = statusOf(cause);
    const advice = 'See the cause, which is the error of the token function.';
    throw new UnauthorizedError('unauthorized', `Cannot get an access token: ${reasonOf(cause)}.`, {
      advice,
      cause,
      ...(httpStatus !== undefined && { httpStatus }),
      // An error without a status may be one of the network.
      retry: httpStatus === undefined || httpStatus >= 500 || TRANSIENT_STATUSES.has(httpStatus),
    });
  }
}

/** Statuses below 500 of faults that pass: timeout, too early, too many requests. */
const TRANSIENT_STATUSES: ReadonlySet<number> = new Set([408, 425, 429]);

async function tokenIn(response: Response): Promise<string> {
  if (response.ok) return (await response.text()).trim();
  await response.body?.cancel();
  const { status } = response;
  throw Object.assign(new Error(`the response has HTTP status ${status}`), { status });
}

/** Returns the HTTP status that an error names, as those of many HTTP clients do; some name 0 where there was no answer. */
function statusOf(error: unknown): number | undefined {
  const { status } = Object(error) as { readonly status?: unknown };
  return typeof status === 'number' && status > 0 ? status : undefined;
}
