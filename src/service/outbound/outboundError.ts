import { RxscribeError } from '../../base/errors.ts';

/**
 * A failed request of the service. The message is a reason without capital and full stop, for use within the message to the
 * user who gave the address; it contains neither the query of a URL nor resolved addresses.
 */
export class OutboundError extends RxscribeError {
  override name = 'OutboundError';
  constructor(message: string, options?: { cause?: unknown }) {
    super('unreachable', message, options);
  }
}

/** Returns the error of something that did not arrive in time. */
export function tooLate(what: string, timeoutMs: number): OutboundError {
  return new OutboundError(`no ${what} within ${timeoutMs / 1000} s`);
}

const BROKEN = 'the connection broke';

/** Reasons by Node's code of the error. */
const REASONS: readonly (readonly [RegExp, string])[] = [
  [/^(ENOTFOUND|ENODATA)$/, 'its host does not exist'],
  [/^EAI_/, 'its host name cannot be looked up'],
  [/^ECONNREFUSED$/, 'the connection was refused'],
  [/^(EHOSTUNREACH|ENETUNREACH|ETIMEDOUT|EADDRNOTAVAIL)$/, 'its host cannot be reached'],
  [/^HPE_/, 'the answer is not valid HTTP'],
  [/^(EPROTO|ERR_SSL_)/, 'there is no common version of TLS'],
  [/CERT|^ERR_TLS_|^UNABLE_TO_|^HOSTNAME_MISMATCH$/, 'its certificate is not trusted'],
];

/** Returns the error of a connection without internal details such as addresses. */
export function describeConnectionError(error: unknown): OutboundError {
  if (error instanceof OutboundError) return error;
  const code = String((error as NodeJS.ErrnoException).code);
  return new OutboundError(REASONS.find(([pattern]) => pattern.test(code))?.[1] ?? BROKEN, { cause: error });
}

/** Returns the error of a connection that ended early. */
export function brokenConnection(): OutboundError {
  return new OutboundError(BROKEN);
}

/**
 * Parses an address given by a user, or by a redirect.
 *
 * @param base base of a relative address
 * @throws OutboundError unless it is an http or https address without a user name or password
 */
export function outboundUrl(text: string, base?: URL): URL {
  // The text is not shown: it may contain anything.
  const url = URL.parse(text, base?.href);
  if (!url) throw new OutboundError('the address is not an absolute http or https URL');
  if (url.protocol !== 'http:' && url.protocol !== 'https:') {
    throw new OutboundError(`the address must be an http or https URL, not ${url.protocol}`);
  }
  if (url.username !== '' || url.password !== '') {
    throw new OutboundError('the address must not contain a user name or password');
  }
  return url;
}
