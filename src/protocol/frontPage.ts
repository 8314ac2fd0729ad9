/** Facts of a service for its page `/`. */
export interface FrontPageJson {
  /** True when the service accepts streams. */
  readonly streaming: boolean;
  /** True when the service has a desk. */
  readonly desk: boolean;
  /** Token for this page, where none is asked for. */
  readonly token?: string;
}
