export interface BackoffOptions {
  /** Upper bound of the first wait; above 0. */
  readonly baseMs: number;
  /** Upper bound of every wait. */
  readonly capMs: number;
  /** Returns a number from 0 to 1. Default `Math.random`. */
  readonly random?: () => number;
}

/**
 * Returns the whole milliseconds to wait before the next attempt: a random number below a bound that doubles with each attempt up to a
 * cap, so that clients that failed together do not retry together. Source: "full jitter" in "Exponential Backoff And Jitter",
 * AWS Architecture Blog.
 *
 * @param attempt number of earlier waits, from 0
 * @example
 * fullJitterMs(3, { baseMs: 250, capMs: 30_000, random: () => 0.5 }); // 1000
 */
export function fullJitterMs(attempt: number, options: BackoffOptions): number {
  const { baseMs, capMs, random = Math.random } = options;
  return Math.floor(random() * Math.min(capMs, baseMs * 2 ** attempt));
}
