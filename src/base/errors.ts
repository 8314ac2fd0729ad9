/** The kind of a failure as a stable word, for programs to branch on. */
export type ErrorCode =
  | 'invalid-argument'
  | 'unreadable-input'
  | 'aborted'
  | 'timeout'
  | 'audio-missing'
  | 'audio-empty'
  | 'audio-corrupt'
  | 'audio-unsupported'
  | 'audio-device'
  | 'download'
  | 'program-missing'
  | 'program-failed'
  | 'engine-missing'
  | 'engine-failed'
  | 'protocol'
  | 'unreachable'
  | 'connection-lost'
  | 'overflow'
  | 'unauthorized'
  | 'bad-request'
  | 'out-of-credit'
  | 'too-many-requests'
  | 'not-found'
  | 'invalid-state'
  | 'unavailable'
  | 'store';

/**
 * The base of every error that rxscribe throws.
 *
 * The message names the problem, then the remedy where there is one, in whole sentences. It never holds a token, the
 * query of a URL or the text of a transcript.
 *
 * @example
 * import { chunk, RxscribeError } from 'rxscribe';
 *
 * try {
 *   chunk(-1);
 * } catch (error) {
 *   if (error instanceof RxscribeError) console.error(error.code); // 'invalid-argument'
 * }
 */
export class RxscribeError extends Error {
  readonly code: ErrorCode;

  constructor(code: ErrorCode, message: string, options?: { cause?: unknown }) {
    super(message, options);
    this.name = new.target.name;
    this.code = code;
  }
}

/** An option or argument has a value that cannot be used. */
export class InvalidArgumentError extends RxscribeError {
  constructor(message: string, options?: { cause?: unknown }) {
    super('invalid-argument', message, options);
  }
}

/**
 * Returns the error of an input that cannot be read.
 *
 * @param what the input, such as `the report 'a.json'`
 */
export function unreadable(what: string, fault: string, cause?: unknown): RxscribeError {
  return new RxscribeError('unreadable-input', `Cannot read ${what}: ${fault}.`, { cause });
}

/** Returns the message of anything that was thrown. */
export function messageOf(thrown: unknown): string {
  return thrown instanceof Error ? thrown.message : String(thrown);
}

/**
 * Returns the message of a cause for use within another message: without its full stop.
 *
 * @example
 * `Cannot write '${path}': ${reasonOf(cause)}.`
 */
export function reasonOf(thrown: unknown): string {
  return messageOf(thrown).replace(/\.$/, '');
}

/** @throws InvalidArgumentError with the problem, if there is one */
export function refuseIf(isWrong: unknown, problem: string): void {
  if (isWrong) throw new InvalidArgumentError(problem);
}

/**
 * Returns the value of an option, which must be above 0.
 *
 * @throws InvalidArgumentError for any other value
 */
export function requirePositive(name: string, value: number): number {
  if (value > 0) return value;
  throw new InvalidArgumentError(`Option '${name}' must be a number above 0, not ${value}.`);
}
