export interface BackoffOptions {
  /** The longest that the first wait can be; above 0. */
  readonly baseMs: number;
  /** The longest that any wait can be. */
  readonly capMs: number;
  /** From 0 up to 1; default `Math.random`. */
  readonly random?: () => number;
}

/**
 * Milliseconds to wait before trying again: anything between 0 and a bound that doubles with each try up to a cap, so that
 * what failed together is not tried together ("full jitter" of the AWS Architecture Blog, "Exponential Backoff And Jitter").
 *
 * @param attempt how many waits there were before, from 0
 * @example
 * fullJitterMs(3, { baseMs: 250, capMs: 30_000, random: () => 0.5 }) // 1000
 */
export function fullJitterMs(attempt: number, options: BackoffOptions): number {
  const { baseMs, capMs, random = Math.random } = options;
  return random() * Math.min(capMs, baseMs * 2 ** attempt);
}
