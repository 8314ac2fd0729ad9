import { RxscribeError } from '../../base/errors.ts';

/**
 * Something that the service sent for did not come. The message is for the user who named the address: what was wanted
 * and what was found, without the query of a URL and without what names were resolved to.
 */
export class OutboundError extends RxscribeError {
  constructor(message: string, options?: { cause?: unknown }) {
    super('unreachable', message, options);
  }
}

/** The error of something that did not come in time. */
export function tooLate(wanted: string, timeoutMs: number): OutboundError {
  return new OutboundError(`wanted ${wanted} within ${timeoutMs / 1000} s, found none`);
}

const BROKEN = 'a broken connection';

/** What was found, by Node's code of the error. */
const FOUND: readonly (readonly [RegExp, string])[] = [
  [/^(ENOTFOUND|ENODATA)$/, 'no such host'],
  [/^EAI_/, 'no answer about its host name'],
  [/^ECONNREFUSED$/, 'a refused connection'],
  [/^(EHOSTUNREACH|ENETUNREACH|ETIMEDOUT|EADDRNOTAVAIL)$/, 'no way to its host'],
  [/^HPE_/, 'an answer that is not valid HTTP'],
  [/^(EPROTO|ERR_SSL_)/, 'no TLS that both sides speak'],
  [/CERT|^ERR_TLS_|^UNABLE_TO_|^HOSTNAME_MISMATCH$/, 'a certificate that is not to be trusted'],
];

/** The error of a connection in words that tell nothing of the inside, such as addresses. */
export function describeConnectionError(error: unknown): OutboundError {
  if (error instanceof OutboundError) return error;
  const code = String((error as NodeJS.ErrnoException).code);
  const found = FOUND.find(([pattern]) => pattern.test(code))?.[1] ?? BROKEN;
  return new OutboundError(`wanted an answer, found ${found}`, { cause: error });
}

/** The error of a connection that ended before its time. */
export function brokenConnection(): OutboundError {
  return new OutboundError(`wanted an answer, found ${BROKEN}`);
}

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
