import { fullJitterMs } from '../../../base/backoff.ts';
import { isRetryable } from '../../serviceErrors.ts';
import { IdleError } from '../streamErrors.ts';

/** How a broken stream is taken up again. */
export interface ReconnectOptions {
  /** Upper bound of the first wait; it doubles with each that follows. Default 250. */
  readonly baseDelayMs?: number;
  /** Upper bound of every wait. Default 15,000. */
  readonly maxDelayMs?: number;
  /** How long the very first connection is tried for. Default 5. */
  readonly firstConnectionSeconds?: number;
  /** The longest later outage in seconds, which ends when something is final or known to be silence. Default 7200. */
  readonly giveUpAfterSeconds?: number;
  /** Gives how long each wait is: from 0 up to 1, of its bound. Default `Math.random`. */
  readonly random?: () => number;
}

/** Defaults of {@link ReconnectOptions}. */
export const RECONNECT_DEFAULTS = {
  baseDelayMs: 250,
  maxDelayMs: 15_000,
  firstConnectionSeconds: 5,
  giveUpAfterSeconds: 7200,
  random: () => Math.random(),
} as const satisfies Required<ReconnectOptions>;

/** The tries since something last came of one. */
export interface Outage {
  /** When the first of them failed, in milliseconds of a clock. */
  readonly sinceMs: number;
  readonly failures: number;
}

export interface Failure {
  readonly error: unknown;
  /** Of the clock. */
  readonly nowMs: number;
  /** Whether a service was ever connected. */
  readonly wasConnected: boolean;
}

/** To wait before the next try; absent when there is to be none. */
export interface NextTry {
  readonly outage: Outage;
  readonly delayMs?: number;
}

/**
 * What follows a failure: waits that grow, each of random length (full jitter), so that the clients of a service that
 * restarts do not come back all at once.
 *
 * Only what may pass is tried again: a connection that broke, a service that is not reached, is silent, or goes down.
 */
export function nextTry(
  outage: Outage | undefined,
  { error, nowMs, wasConnected }: Failure,
  options: Required<ReconnectOptions>,
): NextTry {
  const { sinceMs, failures } = outage ?? { sinceMs: nowMs, failures: 0 };
  const next = { sinceMs, failures: failures + 1 };
  const patienceSeconds = wasConnected
    ? options.giveUpAfterSeconds
    : Math.min(options.firstConnectionSeconds, options.giveUpAfterSeconds);
  if (!mayBeResumed(error) || nowMs - sinceMs >= patienceSeconds * 1000) return { outage: next };
  const delayMs = fullJitterMs(failures, {
    baseMs: options.baseDelayMs,
    capMs: options.maxDelayMs,
    random: options.random,
  });
  return { outage: next, delayMs };
}

/** A service that heard nothing although audio was sent was cut off: a network that stood still for long. */
function mayBeResumed(error: unknown): boolean {
  return isRetryable(error) || error instanceof IdleError;
}
