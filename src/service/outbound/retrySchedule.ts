/** How long a notification is tried for. */
export const NOTIFICATION_WINDOW_MS = 24 * 3_600_000;

const FIRST_SECONDS = 10;
const LONGEST_SECONDS = 3600;
/** Part of a wait that is left to chance, so that what failed together is not tried together. */
const JITTER = 0.25;

/**
 * How long to wait after a try that failed: 10 s after the first, then twice as long each time, at most an hour, and up
 * to a quarter less.
 *
 * @param attempt how many tries there were, from 1
 * @param random from 0 up to 1
 * @example
 * retryDelaySeconds(3, () => 0) // 40
 */
export function retryDelaySeconds(attempt: number, random: () => number = Math.random): number {
  const seconds = Math.min(FIRST_SECONDS * 2 ** (attempt - 1), LONGEST_SECONDS);
  return seconds * (1 - JITTER * random());
}
