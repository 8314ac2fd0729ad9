import { RxscribeError } from '../base/errors.ts';

/** A stream query is not valid. */
export class StreamQueryError extends RxscribeError {
  override name = 'StreamQueryError';
  /** The faults, each as `parameter: problem`. */
  readonly faults: readonly string[];

  constructor(faults: readonly string[]) {
    super('bad-request', `The stream query is not valid: ${faults.join('; ')}.`);
    this.faults = faults;
  }
}
