import { InvalidArgumentError } from '../../base/errors.ts';

/** A suite that cannot be run, with everything that is wrong with it: `FILE:LINE:COLUMN what: wanted …, found …`. */
export class SuiteFileError extends InvalidArgumentError {
  readonly faults: readonly string[];

  constructor(path: string, faults: readonly string[]) {
    const lines = faults.map(fault => `\n  ${fault}`).join('');
    super(`read suite ${path}: ${faults.length} ${faults.length === 1 ? 'fault' : 'faults'}${lines}`);
    this.faults = faults;
  }
}
