import { OutboundError } from './outboundError.ts';

/**
 * Reads an address that the service is to send to or fetch from, or that one leads on to.
 *
 * @param base what a relative address is relative to
 * @throws OutboundError unless it is an http or https address without a user name or password
 */
export function outboundUrl(text: string, base?: URL): URL {
  // What cannot be read is not shown: it may hold anything.
  const url = URL.parse(text, base?.href);
  if (!url) throw new OutboundError('wanted an absolute http or https URL, found something else');
  if (url.protocol !== 'http:' && url.protocol !== 'https:') {
    throw new OutboundError(`wanted an http or https URL, found ${url.protocol}`);
  }
  if (url.username !== '' || url.password !== '') {
    throw new OutboundError('wanted a URL without user name and password, found one with them');
  }
  return url;
}
