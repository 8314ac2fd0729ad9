import { ServiceError } from '../serviceErrors.ts';

/** The service shuts down; another one may take the stream. */
export class ShuttingDownError extends ServiceError {}
/** No recogniser was free in time. */
export class NoInstanceError extends ServiceError {}
/** The service closed the connection because no audio came. */
export class IdleError extends ServiceError {}
/** The service took too long to connect, to be ready, or to send the last final. */
export class StreamTimeoutError extends ServiceError {}
/** More audio has no text yet than may be kept. */
export class OverflowError extends ServiceError {}
