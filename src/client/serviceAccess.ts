import { InvalidArgumentError } from '../base/errors.ts';
import { ServiceError, UnauthorizedError } from './serviceErrors.ts';

/** Schemes that name a service, and what each is where WebSockets or HTTP are spoken. */
const SCHEMES = {
  ws: { 'http:': 'ws:', 'https:': 'wss:', 'ws:': 'ws:', 'wss:': 'wss:' },
  http: { 'http:': 'http:', 'https:': 'https:', 'ws:': 'http:', 'wss:': 'https:' },
} as const;

/**
 * The base address of a service, without slashes at its end.
 *
 * @throws InvalidArgumentError unless it is an absolute address of a scheme that leads to a service
 */
export function serviceAddress(base: string | URL, spoken: keyof typeof SCHEMES): URL {
  const schemes: Readonly<Record<string, string>> = SCHEMES[spoken];
  // What cannot be read is not shown: it may be a token in the wrong place.
  const parsed = URL.parse(String(base));
  const scheme = parsed && schemes[parsed.protocol];
  if (!scheme) {
    throw new InvalidArgumentError(
      `service address: wanted an absolute URL with ${Object.keys(schemes).join(', ')}, ` +
        `found ${parsed ? parsed.protocol : 'something else'}`,
    );
  }
  const address = new URL(parsed);
  address.protocol = scheme;
  address.hash = '';
  address.pathname = address.pathname.replace(/\/+$/, '');
  return address;
}

/** An address to show: without query, token and password. */
export function publicAddress(address: URL): string {
  return `${address.protocol}//${address.host}${address.pathname}`;
}

/**
 * An access token, as it was given.
 *
 * @throws InvalidArgumentError when it cannot be one
 */
export function checkedToken(token: string): string {
  if (/^[\x21-\x7e]+$/.test(token)) return token;
  throw new InvalidArgumentError(
    `access token: wanted visible ASCII characters without white space, found ${token === '' ? 'none' : 'others'}`,
  );
}

/**
 * An access token, as it was given or from what gets one.
 *
 * @throws ServiceError of whoever gets it; UnauthorizedError, which may pass, for any other error of that
 */
export async function accessToken(token: string | (() => string | Promise<string>)): Promise<string> {
  if (typeof token === 'string') return token;
  try {
    return await token();
  } catch (cause) {
    if (cause instanceof ServiceError) throw cause;
    const advice = 'See the cause: it is what the token function threw.';
    // Who gives tokens may be as far away as the service is.
    throw new UnauthorizedError('unauthorized', 'get access token: failed', { advice, cause, retry: true });
  }
}
