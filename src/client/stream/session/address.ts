import { ACCESS_TOKEN_PARAMETER, STREAM_PATH } from '../../../protocol/interfaceNames.ts';
import { formatStreamQuery, type StreamQuery } from '../../../protocol/streamQuery.ts';
import { checkedToken, serviceAddress } from '../../serviceAccess.ts';

/**
 * The address of a service's stream, of the base address of the service or of the stream itself.
 *
 * @throws InvalidArgumentError unless it is an absolute address of a scheme that leads to a WebSocket
 * @example
 * streamAddress('https://example.org/').href // 'wss://example.org/speechtotext/v1/stream'
 */
export function streamAddress(base: string | URL): URL {
  const address = serviceAddress(base, 'ws');
  // The path of a URL is never empty: what was only slashes is one again.
  const path = address.pathname.replace(/\/$/, '');
  address.pathname = path.endsWith(STREAM_PATH) ? path : path + STREAM_PATH;
  return address;
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
  return withSearch(address, `${ACCESS_TOKEN_PARAMETER}=${encodeURIComponent(checkedToken(token))}`);
}

function withSearch(address: URL, search: string): URL {
  const result = new URL(address);
  result.search = result.search ? `${result.search}&${search}` : search;
  return result;
}
