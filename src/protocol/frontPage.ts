/** Facts of a service for its page `/`. */
export interface FrontPageJson {
  /** True when it takes streams. */
  readonly streaming: boolean;
  /** True when it has a desk. */
  readonly desk: boolean;
  /** Token for this page, where none is asked for. */
  readonly token?: string;
}
