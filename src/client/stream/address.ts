import { InvalidArgumentError } from '../../base/errors.ts';
import { ACCESS_TOKEN_PARAMETER, STREAM_PATH } from '../../protocol/paths.ts';
import { formatStreamQuery, type StreamQuery } from '../../protocol/streamQuery.ts';

const SCHEMES: Readonly<Record<string, string>> = {
  'http:': 'ws:',
  'https:': 'wss:',
  'ws:': 'ws:',
  'wss:': 'wss:',
};

/**
 * The address of a service's stream, of the base address of the service or of the stream itself.
 *
 * @throws InvalidArgumentError unless it is an absolute address of a scheme that leads to a WebSocket
 * @example
 * streamAddress('https://example.org/').href // 'wss://example.org/speechtotext/v1/stream'
 */
export function streamAddress(base: string | URL): URL {
  // What cannot be read is not shown: it may be a token in the wrong place.
  const parsed = URL.parse(String(base));
  const scheme = parsed && SCHEMES[parsed.protocol];
  if (!scheme) {
    throw new InvalidArgumentError(
      `service address: wanted an absolute URL with ${Object.keys(SCHEMES).join(', ')}, ` +
        `found ${parsed ? parsed.protocol : 'something else'}`,
    );
  }
  const address = new URL(parsed);
  address.protocol = scheme;
  address.hash = '';
  const path = address.pathname.replace(/\/+$/, '');
  address.pathname = path.endsWith(STREAM_PATH) ? path : path + STREAM_PATH;
  return address;
}

/** An address to show: without query, token and password. */
export function publicAddress(address: URL): string {
  return `${address.protocol}//${address.host}${address.pathname}`;
}

/**
 * The address of a session, still without its token.
 *
 * @throws StreamQueryError when a value of the query cannot be used
 */
export function queryAddress(address: URL, query: StreamQuery): URL {
  // A plus sign means a space to some readers and itself to others; %20 means the same to all.
  return withSearch(address, formatStreamQuery(query).replaceAll('+', '%20'));
}

/**
 * An address with the token that a service asks for.
 *
 * @throws InvalidArgumentError when the token cannot be one
 */
export function tokenAddress(address: URL, token: string): URL {
  if (!/^[\x21-\x7e]+$/.test(token)) {
    throw new InvalidArgumentError(
      `access token: wanted visible ASCII characters without white space, found ${token === '' ? 'none' : 'others'}`,
    );
  }
  return withSearch(address, `${ACCESS_TOKEN_PARAMETER}=${encodeURIComponent(token)}`);
}

function withSearch(address: URL, search: string): URL {
  const result = new URL(address);
  result.search = result.search ? `${result.search}&${search}` : search;
  return result;
}
