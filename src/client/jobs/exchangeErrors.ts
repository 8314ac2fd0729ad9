import { publicAddress } from '../serviceAccess.ts';
import {
  ConnectionLostError,
  networkCause,
  ProtocolError,
  type ServiceError,
  UnreachableError,
} from '../serviceErrors.ts';
import { RequestTimeoutError } from './requestErrors.ts';

/** What was under way when there was no answer. */
export interface Unanswered {
  /** What the request does, as `get job a1`. */
  readonly action: string;
  readonly url: URL;
}

function wanted({ action, url }: Unanswered): string {
  return `${action}: wanted an answer of ${publicAddress(url)}`;
}

/** The connection could not be made, or broke. */
export function networkError(request: Unanswered, isConnected: boolean, cause?: Error): ServiceError {
  const found = cause ? networkCause(cause) : 'the end of the connection';
  const message = `${wanted(request)}, found ${found}`;
  // What Node's parser does not understand.
  if (cause && 'code' in cause && String(cause.code).startsWith('HPE_')) {
    const advice = 'Check the address: what answers there does not speak HTTP.';
    return new ProtocolError('protocol', message, { advice, cause });
  }
  if (!isConnected) {
    const advice = 'Check the address, the network, and that the service is running.';
    return new UnreachableError('unreachable', message, { advice, retry: true, cause });
  }
  const advice = 'Check the network and the service, then try again.';
  return new ConnectionLostError('connection-lost', message, { advice, retry: true, cause });
}

/** Nothing moved. */
export function idleError(request: Unanswered, timeoutMs: number): ServiceError {
  const message = `${wanted(request)}, found nothing for ${timeoutMs / 1000} s`;
  const advice = 'Try again, or allow more time with timeoutMs.';
  return new RequestTimeoutError('timeout', message, { advice, retry: true });
}

export function longAnswerError({ action }: Unanswered, maxBytes: number): ServiceError {
  const message = `${action}: wanted an answer of at most ${maxBytes} bytes, found more`;
  return new ProtocolError('protocol', message, { advice: 'Allow more with maxAnswerBytes.' });
}
