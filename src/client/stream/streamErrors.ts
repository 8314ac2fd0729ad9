import { ServiceError } from '../serviceErrors.ts';

/** The service shuts down; another one may take the stream. */
export class ShuttingDownError extends ServiceError {}
/** No recogniser was free in time. */
export class NoInstanceError extends ServiceError {}
/** The service closed the connection because no audio came. */
export class IdleError extends ServiceError {}
/** The service took too long to answer the handshake, to be ready, or to send a final. */
export class StreamTimeoutError extends ServiceError {}

/** Returns the error of a service that answers, but whose words are late. */
export function lateError(): StreamTimeoutError {
  return new StreamTimeoutError('timeout', 'The service is slow: speech that it has got has no words yet.', {
    advice: 'Check the load of the service, or raise the option `standby.takeOverSeconds`.',
    retry: true,
  });
}

/** The audio without text exceeds the limit of the buffer. */
export class OverflowError extends ServiceError {}
