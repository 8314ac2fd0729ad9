import { ACCESS_TOKEN_PARAMETER, STREAM_PATH } from '../protocol/interfaceNames.ts';
import { formatStreamQuery, type StreamQuery } from '../protocol/streamQuery.ts';
import { checkedToken, serviceAddress } from './serviceAccess.ts';

/**
 * Returns the address of the stream of a service, given the base address of the service or the address of the stream.
 *
 * @throws InvalidArgumentError unless it is an absolute URL with a scheme of WebSocket or HTTP
 * @example
 * streamAddress('https://example.org/').href // 'wss://example.org/speechtotext/v1/stream'
 */
export function streamAddress(base: string | URL): URL {
  const address = serviceAddress(base, 'ws');
  // The pathname of a URL is never empty: `/` remains.
  const path = address.pathname.replace(/\/$/, '');
  address.pathname = path.endsWith(STREAM_PATH) ? path : path + STREAM_PATH;
  return address;
}

/**
 * Returns the address of a session, without its token.
 *
 * @throws StreamQueryError when a value of the query is not valid
 */
export function queryAddress(address: URL, query: StreamQuery): URL {
  // Some readers decode a plus sign as a space and others do not; all decode %20.
  return withSearch(address, formatStreamQuery(query).replaceAll('+', '%20'));
}

/**
 * Adds the access token to an address.
 *
 * @throws InvalidArgumentError when the token is empty or has characters other than visible ASCII
 */
export function tokenAddress(address: URL, token: string): URL {
  return withSearch(address, `${ACCESS_TOKEN_PARAMETER}=${encodeURIComponent(checkedToken(token))}`);
}

function withSearch(address: URL, search: string): URL {
  const result = new URL(address);
  result.search = result.search ? `${result.search}&${search}` : search;
  return result;
}
