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
  // A literal in each class: bundlers shorten the names of classes.
  override name = 'RxscribeError';
  readonly code: ErrorCode;

  constructor(code: ErrorCode, message: string, options?: { cause?: unknown }) {
    super(message, options);
    this.code = code;
  }
}

/** An option or argument has a value that cannot be used. */
export class InvalidArgumentError extends RxscribeError {
  override name = 'InvalidArgumentError';
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

/** Returns the numbers of options, each above 0, or their defaults. Errors name an option with the prefix. */
export function positiveOptions<Name extends string>(
  options: { readonly [Key in NoInfer<Name>]?: number },
  defaults: Readonly<Record<Name, number>>,
  prefix = '',
): Record<Name, number> {
  const names = Object.keys(defaults) as Name[];
  const numbers = names.map(name => [name, requirePositive(prefix + name, options[name] ?? defaults[name])]);
  return Object.fromEntries(numbers);
}

/**
 * Returns an option that is one of some words.
 *
 * @throws InvalidArgumentError for any other value
 */
export function requireOneOf<Word extends string>(name: string, value: Word, words: readonly Word[]): Word {
  if (words.includes(value)) return value;
  const list = words.map(word => `'${word}'`).join(' or ');
  throw new InvalidArgumentError(`Option '${name}' must be ${list}, not '${value}'.`);
}
