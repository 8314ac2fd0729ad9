import { reasonOf } from '../../base/errors.ts';
import { publicAddress } from '../serviceAccess.ts';
import {
  ConnectionLostError,
  networkCause,
  ProtocolError,
  type ServiceError,
  UnreachableError,
} from '../serviceErrors.ts';
import { RequestTimeoutError } from './requestErrors.ts';

/** A request without a response. */
export interface Unanswered {
  /** The purpose as a verb phrase, such as `get job a1`. */
  readonly action: string;
  readonly url: URL;
}

function failure({ action, url }: Unanswered, problem: string): string {
  return `Cannot ${action}: ${problem} (${publicAddress(url)}).`;
}

/** Returns the error of a connection that could not be made, or broke. */
export function networkError(request: Unanswered, isConnected: boolean, cause?: Error): ServiceError {
  const message = failure(request, cause ? reasonOf(networkCause(cause)) : 'the connection ended');
  // Codes of the HTTP parser of Node.
  if (cause && 'code' in cause && String(cause.code).startsWith('HPE_')) {
    const advice = 'Check the address: the server there does not speak HTTP.';
    return new ProtocolError('protocol', message, { advice, cause });
  }
  if (!isConnected) {
    const advice = 'Check the address and the network, and that the service is running.';
    return new UnreachableError('unreachable', message, { advice, retry: true, cause });
  }
  const advice = 'Check the network and the service, then try again.';
  return new ConnectionLostError('connection-lost', message, { advice, retry: true, cause });
}

/** Returns the error of a request without any data for too long. */
export function idleError(request: Unanswered, timeoutMs: number): ServiceError {
  const message = failure(request, `no data for ${timeoutMs / 1000} s`);
  const advice = "Try again, or raise the option 'timeoutMs'.";
  return new RequestTimeoutError('timeout', message, { advice, retry: true });
}

export function longAnswerError(request: Unanswered, maxBytes: number): ServiceError {
  const message = failure(request, `the response is larger than ${maxBytes} bytes`);
  return new ProtocolError('protocol', message, { advice: "Raise the option 'maxAnswerBytes'." });
}
