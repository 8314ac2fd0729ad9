/** Milliseconds between two looks at a job: short ones first, for short jobs. */
const POLL_MS = { first: 1000, longest: 15_000, factor: 1.5 } as const;
/** Of a delay, up or down, so that many who began together do not ask together. */
const JITTER = 0.2;

/**
 * Milliseconds to wait before the next look at a job.
 *
 * @param round how often it has been looked at before, from 0
 */
export function pollDelayMs(round: number, random = Math.random): number {
  const { first, longest, factor } = POLL_MS;
  return Math.min(longest, first * factor ** round) * (1 + JITTER * (2 * random() - 1));
}
