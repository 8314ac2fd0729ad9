import { InvalidArgumentError, Option } from 'commander';
import { languageOf } from '../../protocol/language.ts';

/** Readers of option values, for commander: each gives the value or says what was wanted. */

export function integerFrom(min: number, max: number): (text: string) => number {
  return text => {
    const value = /^\d+$/.test(text) ? Number(text) : Number.NaN;
    if (value >= min && value <= max) return value;
    throw new InvalidArgumentError(`expected an integer from ${min} to ${max}`);
  };
}

/** Seconds, zero or more. */
export function seconds(text: string): number {
  const value = /^\d+(\.\d+)?$/.test(text) ? Number(text) : Number.NaN;
  if (Number.isFinite(value)) return value;
  throw new InvalidArgumentError('expected seconds, zero or more');
}

/** How many times faster than real time, or `max`. */
export function speed(text: string): number | 'max' {
  if (text === 'max') return 'max';
  const value = /^\d+(\.\d+)?$/.test(text) ? Number(text) : Number.NaN;
  if (value > 0 && value <= 1000) return value;
  throw new InvalidArgumentError('expected a number above 0 and up to 1000, or max');
}

/** Any number from a minimum on. */
export function number(min: number): (text: string) => number {
  return text => {
    const value = /^-?\d+(\.\d+)?$/.test(text) ? Number(text) : Number.NaN;
    if (value >= min) return value;
    throw new InvalidArgumentError(`expected a number from ${min} on`);
  };
}

/** A value, or a word in its place. */
export function orWord<T, Word extends string>(
  word: Word,
  read: (text: string) => T,
): (text: string) => T | Word {
  return text => (text === word ? word : read(text));
}

/** A part of a recording, `START-END` in seconds. */
export function segment(text: string): { readonly start: string; readonly end: string } {
  const [, start = '', end = ''] = /^(\d+(?:\.\d+)?)-(\d+(?:\.\d+)?)$/.exec(text) ?? [];
  if (Number(start) < Number(end)) return { start, end };
  throw new InvalidArgumentError('expected START-END in seconds, as 0-60');
}

/** For an option that may be given several times. */
export function collect<T>(
  read: (text: string) => T,
): (text: string, previous?: readonly T[]) => readonly T[] {
  return (text, previous = []) => [...previous, read(text)];
}

/** `--language`: of a tag such as `en-US` or of a locale such as `en_US.UTF-8`, the language it begins with. */
export function languageOption(description: string): Option {
  return new Option('--language <code>', description).argParser(languageOf);
}
