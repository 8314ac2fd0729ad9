import type { IncomingMessage } from 'node:http';
import { type ExchangeOptions, exchange } from './exchange.ts';
import { OutboundError, outboundUrl } from './outboundError.ts';

/** Where something is, and what to show there to be given it. */
export interface Hop {
  readonly url: URL;
  /** Value of the Authorization header. */
  readonly authorization?: string;
}

const REDIRECTS: ReadonlySet<number | undefined> = new Set([301, 302, 303, 307, 308]);

/**
 * Gets what stands at an address, or where that leads in so many steps; each is judged by the guard.
 *
 * @returns an answer that is no redirect
 * @throws as `exchange`; OutboundError for redirects that are too many or that lead where they may not
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
  throw new OutboundError(`wanted at most ${maxRedirects} redirects, found more`);
}

/**
 * Where a redirect leads. The authorization is for the origin that it was given for, and for no other.
 *
 * @throws OutboundError without a location, for one that is no http or https URL, and for one that gives up TLS
 */
export function nextHop({ url, authorization }: Hop, location: string | undefined): Hop {
  if (location === undefined) throw new OutboundError('wanted a location with the redirect, found none');
  const next = outboundUrl(location, url);
  if (url.protocol === 'https:' && next.protocol === 'http:') {
    throw new OutboundError('wanted a redirect that keeps to https, found one to http');
  }
  return next.origin === url.origin && authorization ? { url: next, authorization } : { url: next };
}
