import { InvalidArgumentError } from '../base/errors.ts';

/** A number above 0. @throws InvalidArgumentError for any other, with its name */
export function checkedPositive(name: string, value: number): number {
  if (value > 0) return value;
  throw new InvalidArgumentError(`${name}: wanted a number above 0, found ${value}`);
}
