/** For every call. */
export interface CallOptions {
  /** Aborting ends the call, with the reason as its error. */
  readonly signal?: AbortSignal;
}

/** A signal that is aborted when one of the two is. */
export function eitherSignal(first?: AbortSignal, second?: AbortSignal): AbortSignal | undefined {
  return first && second ? AbortSignal.any([first, second]) : (first ?? second);
}

export interface ListOptions extends CallOptions {
  /** How many at once, 0 to 1000. Default 100. */
  readonly limit?: number;
  /** Id of the job before those that are wanted. Default: the newest is the first. */
  readonly startingAfter?: string;
}
