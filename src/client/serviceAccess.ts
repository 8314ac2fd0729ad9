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
  if (/^[\x21-\x7e]+$/.test(token)) return token;
  throw new InvalidArgumentError(
    token === ''
      ? 'The access token must not be empty.'
      : 'The access token must consist of visible ASCII characters, without white space.',
  );
}

/**
 * Resolves with an access token, given as a string or by a function.
 *
 * @throws ServiceError of the function; a retryable UnauthorizedError for any other error of the function
 */
export async function accessToken(token: string | (() => string | Promise<string>)): Promise<string> {
  if (typeof token === 'string') return token;
  try {
    return await token();
  } catch (cause) {
    if (cause instanceof ServiceError) throw cause;
    const advice = 'See the cause, which is the error of the token function.';
    // Retryable, as the function may get its tokens over the network.
    throw new UnauthorizedError('unauthorized', `Cannot get an access token: ${reasonOf(cause)}.`, {
      advice,
      cause,
      retry: true,
    });
  }
}
