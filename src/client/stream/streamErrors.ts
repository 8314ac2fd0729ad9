import { ServiceError } from '../serviceErrors.ts';

/** The service shuts down; another one may take the stream. */
export class ShuttingDownError extends ServiceError {}
/** No recogniser was free in time. */
export class NoInstanceError extends ServiceError {}
/** The service closed the connection because no audio came. */
export class IdleError extends ServiceError {}
/** The service took too long to answer the handshake, to be ready, or to send a final. */
export class StreamTimeoutError extends ServiceError {}
/** The audio without text exceeds the limit of the buffer. */
export class OverflowError extends ServiceError {}
