import { InvalidArgumentError } from '../../base/errors.ts';

/** Of a file that is something else altogether, the rest says no more. */
const MAX_TOLD = 100;

/** A suite that cannot be run, with everything that is wrong with it: `FILE:LINE:COLUMN what: wanted …, found …`. */
export class SuiteFileError extends InvalidArgumentError {
  readonly faults: readonly string[];

  constructor(path: string, faults: readonly string[]) {
    const left = faults.length - MAX_TOLD;
    const told = [...faults.slice(0, MAX_TOLD), ...(left > 0 ? [`and ${left} more`] : [])];
    const lines = told.map(fault => `\n  ${fault}`).join('');
    super(`read suite ${path}: ${faults.length} ${faults.length === 1 ? 'fault' : 'faults'}${lines}`);
    this.faults = faults;
  }
}
