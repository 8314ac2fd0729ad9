/** For every call. */
export interface CallOptions {
  /** Aborting ends the call, with the reason as its error. */
  readonly signal?: AbortSignal;
}

export interface ListOptions extends CallOptions {
  /** How many at once, 0 to 1000. Default 100. */
  readonly limit?: number;
  /** Id of the job before those that are wanted. Default: the newest is the first. */
  readonly startingAfter?: string;
}
