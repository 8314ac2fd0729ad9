import { InvalidArgumentError } from 'commander';

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
