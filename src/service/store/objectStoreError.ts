import { messageOf, RxscribeError } from '../../base/errors.ts';
import { oneLine } from '../../base/text.ts';

/** An error of a server for objects, or of the connection to it; code `store`, as the call may be repeated. */
export class ObjectStoreError extends RxscribeError {
  override name = 'ObjectStoreError';
  /** The reason on one line, without keys. */
  readonly reason: string;
  /** True for a cause that passes: no connection, or a fault of the server. */
  readonly isUnreachable: boolean;

  constructor(cause: unknown) {
    const inner = innermost(cause);
    const status = inner.$metadata?.httpStatusCode;
    const reason =
      status === undefined ? oneLine(messageOf(inner)).replace(/\.$/, '') : `${inner.name}, status ${status}`;
    const isRefused =
      inner.name === 'CredentialsProviderError' || (status !== undefined && status < 500 && status !== 429);
    super('store', `The object store ${isRefused ? 'refuses' : 'cannot be reached'}: ${reason}.`, { cause });
    this.reason = reason;
    this.isUnreachable = !isRefused;
  }
}

/** Returns whether an error says that an object does not exist. */
export function isMissingObject(error: unknown): boolean {
  // The answer to HEAD has no body, and so no code.
  return ['NoSuchKey', 'NotFound'].includes(innermost(error).name);
}

interface S3Error extends Error {
  readonly $metadata?: { readonly httpStatusCode?: number };
}

/** Returns the innermost error: that of the server or of the connection. */
function innermost(error: unknown): S3Error {
  const { cause } = error as Error;
  return cause instanceof Error ? innermost(cause) : (error as S3Error);
}
