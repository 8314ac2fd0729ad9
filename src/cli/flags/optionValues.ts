import { InvalidArgumentError } from 'commander';

/** Note on options that take a secret and have a variable. */
export const COMMAND_LINE_NOTE = 'other users can read a command line, but not its environment';

// Parsers of option values for commander. Each throws a rule, such as "Must be …", which follows the sentence that names the value.

/** Returns a parser of numbers. */
function numeric(
  pattern: RegExp,
  isAllowed: (value: number) => boolean,
  rule: string,
): (text: string) => number {
  return text => {
    const value = pattern.test(text) ? Number(text) : Number.NaN;
    if (isAllowed(value)) return value;
    throw new InvalidArgumentError(rule);
  };
}

const DECIMAL = /^\d+(\.\d+)?$/;

export const integerFrom = (min: number, max: number) =>
  numeric(/^\d+$/, value => value >= min && value <= max, `Must be an integer from ${min} to ${max}`);

/** Parses seconds from 0. */
export const seconds = numeric(DECIMAL, Number.isFinite, 'Must be a number of seconds from 0');

export const secondsFrom = (min: number, max: number) =>
  numeric(
    DECIMAL,
    value => value >= min && value <= max,
    `Must be a number of seconds from ${min} to ${max}`,
  );

export const numberFrom = (min: number) =>
  numeric(/^-?\d+(\.\d+)?$/, value => value >= min, `Must be a number from ${min}`);

const factor = numeric(
  DECIMAL,
  value => value > 0 && value <= 1000,
  'Must be a number above 0 and up to 1000, or max',
);

/** Parses a multiple of real time, or `max`. */
export function speed(text: string): number | 'max' {
  return text === 'max' ? 'max' : factor(text);
}

/** Returns a parser that takes a word in place of a value. */
export function orWord<T, Word extends string>(
  word: Word,
  parse: (text: string) => T,
): (text: string) => T | Word {
  return text => (text === word ? word : parse(text));
}

/** Parses a part of a recording, `START-END` in seconds. */
export function segment(text: string): { readonly start: string; readonly end: string } {
  const [, start = '', end = ''] = /^(\d+(?:\.\d+)?)-(\d+(?:\.\d+)?)$/.exec(text) ?? [];
  if (Number(start) < Number(end)) return { start, end };
  throw new InvalidArgumentError('Must be START-END in seconds, such as 0-60');
}

/** Parses the address of a service, which the client checks later; an empty address must not select the embedded service. */
export function serviceUrl(text: string): string {
  if (text !== '') return text;
  throw new InvalidArgumentError('Must be the address of a service, such as http://127.0.0.1:8080');
}

/** Returns a parser for an option that may be repeated. */
export function collect<T>(
  parse: (text: string) => T,
): (text: string, previous?: readonly T[]) => readonly T[] {
  return (text, previous = []) => [...previous, parse(text)];
}

/** Parses an option with values separated by commas, which may be repeated. */
export function listed(text: string, previous: readonly string[] = []): readonly string[] {
  return [...previous, ...text.split(',').map(value => value.trim())];
}
