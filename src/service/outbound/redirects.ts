import type { IncomingMessage } from 'node:http';
import { type ExchangeOptions, exchange } from './exchange.ts';
import { OutboundError, outboundUrl } from './outboundError.ts';

/** An address with the authorization for it. */
export interface Hop {
  readonly url: URL;
  /** Value of the Authorization header. */
  readonly authorization?: string;
}

const REDIRECTS: ReadonlySet<number | undefined> = new Set([301, 302, 303, 307, 308]);

/**
 * Gets an address, following a limited number of redirects; the guard checks each of them.
 *
 * @returns an answer that is not a redirect
 * @throws as `exchange`; OutboundError for too many redirects, or one that is not allowed
 */
export async function getFollowing(
  first: Hop,
  { maxRedirects, ...options }: ExchangeOptions & { readonly maxRedirects: number },
): Promise<IncomingMessage> {
  let hop = first;
  for (let redirects = 0; redirects <= maxRedirects; redirects++) {
    const { url, authorization } = hop;
    const headers = { 'accept-encoding': 'identity', ...(authorization && { authorization }) };
    const answer = await exchange({ url, method: 'GET', headers }, options);
    if (!REDIRECTS.has(answer.statusCode)) return answer;
    answer.destroy();
    hop = nextHop(hop, answer.headers.location);
  }
  throw new OutboundError(`it has more than ${maxRedirects} redirects`);
}

/**
 * Returns the target of a redirect. The authorization is sent only to the origin for which it was given.
 *
 * @throws OutboundError without a location, for one that is not an http or https URL, and from https to http
 */
export function nextHop({ url, authorization }: Hop, location: string | undefined): Hop {
  if (location === undefined) throw new OutboundError('it redirects without a location');
  const next = outboundUrl(location, url);
  if (url.protocol === 'https:' && next.protocol === 'http:') {
    throw new OutboundError('it redirects from https to http');
  }
  return next.origin === url.origin && authorization ? { url: next, authorization } : { url: next };
}
