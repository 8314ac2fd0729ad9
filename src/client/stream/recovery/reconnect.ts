import { fullJitterMs } from '../../../base/backoff.ts';
import { IdleError, isRetryable, ShuttingDownError, TooManyRequestsError } from '../../serviceErrors.ts';

/** Options of the waits before a broken stream reconnects. */
export interface ReconnectOptions {
  /** Upper bound of the first wait, in milliseconds; it doubles with each further wait. Default 250. */
  readonly baseDelayMs?: number;
  /** Upper bound of every wait, in milliseconds. Default 15,000. */
  readonly maxDelayMs?: number;
  /**
   * Seconds from the first failure during which new attempts are made while no service was ever connected. Default 5, or 20
   * with a standby.
   */
  readonly firstConnectionSeconds?: number;
  /** Seconds of the longest later outage, which ends with the next final or known silence. Default 7200. */
  readonly giveUpAfterSeconds?: number;
  /** Returns each wait as a share of its bound, from 0 up to 1. Default `Math.random`. */
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

/** A series of failed attempts without progress. */
export interface Outage {
  /** Time of the first failure, in milliseconds of a clock. */
  readonly sinceMs: number;
  readonly failures: number;
}

export interface Failure {
  readonly error: unknown;
  /** Time of the failure, in milliseconds of the clock. */
  readonly nowMs: number;
  /** True when a service was ever connected. */
  readonly wasConnected: boolean;
  /** True when another service follows: at once the first time, and also after an error that cannot pass. Default false. */
  readonly hasOther?: boolean;
}

/** The outage so far, and the wait before the next attempt. Without `delayMs` no attempt follows. */
export interface NextAttempt {
  readonly outage: Outage;
  readonly delayMs?: number;
}

/**
 * Returns the wait after a failure. Waits grow, each of random length (full jitter), so that the clients of a service that
 * restarts do not come back all at once.
 *
 * A service that shuts down is the exception: its first close is followed at once, because another machine of it takes the
 * stream.
 *
 * Another attempt follows only a fault that may pass: a broken connection, or a service that is unreachable, silent or
 * shutting down. A stream that had a place within the limit of its account asks for one again for a minute.
 *
 * An outage lasts from its first failure until something is settled: by a final, or by silence, which is audio that a
 * service has read without any words for a minute (see {@link nextResume}). Connections that hold meanwhile do not end it: a
 * service may take audio for ever and return nothing. A paused source has nothing to settle; there an answered ping ends the
 * outage.
 *
 * @example
 * const options = { ...RECONNECT_DEFAULTS, random: () => 0.5 };
 * const first = nextAttempt(undefined, { error: new Error('reset'), nowMs: 0, wasConnected: true }, options);
 * first.outage.failures; // 1
 */
export function nextAttempt(
  outage: Outage | undefined,
  { error, nowMs, wasConnected, hasOther = false }: Failure,
  options: Required<ReconnectOptions>,
): NextAttempt {
  if (isHandOver(outage, { error, wasConnected }))
    return { outage: { sinceMs: nowMs, failures: 0 }, delayMs: 0 };
  const { sinceMs, failures } = outage ?? { sinceMs: nowMs, failures: 0 };
  const next = { sinceMs, failures: failures + 1 };
  const limitSeconds = wasConnected
    ? options.giveUpAfterSeconds
    : Math.min(options.firstConnectionSeconds, options.giveUpAfterSeconds);
  const passes = mayPass(error) || (wasConnected && outage && isOwnPlace(error, nowMs - sinceMs));
  if (!(hasOther || passes) || nowMs - sinceMs >= limitSeconds * 1000) return { outage: next };
  if (hasOther && failures === 0) return { outage: next, delayMs: 0 };
  const delayMs = fullJitterMs(failures, {
    baseMs: options.baseDelayMs,
    capMs: options.maxDelayMs,
    random: options.random,
  });
  return { outage: next, delayMs };
}

/** Returns whether an error begins no outage yet: a service that was well shuts down, and another machine of it goes on. */
export function isHandOver(
  outage: Outage | undefined,
  { error, wasConnected }: Pick<Failure, 'error' | 'wasConnected'>,
): boolean {
  return !outage && wasConnected && error instanceof ShuttingDownError;
}

/** Milliseconds for which an account may count a stream whose machine was lost without a word. */
const OWN_PLACE_MS = 60_000;

/** Returns whether an account may be at its limit because it counts the connection that was lost. */
function isOwnPlace(error: unknown, outageMs: number): boolean {
  return error instanceof TooManyRequestsError && outageMs < OWN_PLACE_MS;
}

/** Returns whether an error may pass. An idle close despite audio means that the network stood still for long. */
export function mayPass(error: unknown): boolean {
  return isRetryable(error) || error instanceof IdleError;
}

/** One of the two services of a stream with a standby. Without a standby there is only the first. */
export type Place = 'first' | 'standby';

/** The knowledge about the services of a stream. */
export interface Services {
  /** Service of the current attempt, or of the next one. */
  readonly place: Place;
  /** Services whose last error cannot pass, such as an invalid token. */
  readonly refused: readonly Place[];
  /** Failures of the first service. Each failure selects its next address. */
  readonly failures: number;
  /** Milliseconds until the first service is tried again; 0 before its first failure. */
  readonly returnMs: number;
}

/** The state before the first attempt. */
export const startOfServices: Services = { place: 'first', refused: [], failures: 0, returnMs: 0 };

/** Longest wait until the first service is tried again. */
const MAX_RETURN_MS = 1_800_000;

export interface ServiceFailure {
  /** True when the error may pass. */
  readonly mayPass: boolean;
  /** Milliseconds for which the attempt lasted. */
  readonly servedMs: number;
  /** Milliseconds until the first return to the first service; undefined without a standby. */
  readonly returnMs: number | undefined;
}

/**
 * Returns the services after the current one has failed: the other one is next, unless its own error cannot pass.
 *
 * The wait for the first service doubles when it fails soon after a return.
 */
export function withFailure(services: Services, { mayPass, servedMs, returnMs }: ServiceFailure): Services {
  const { place } = services;
  const failures = services.failures + (place === 'first' ? 1 : 0);
  if (returnMs === undefined) return { ...services, failures };
  const known = services.refused.filter(one => one !== place);
  const refused = mayPass ? known : [...known, place];
  const other = place === 'first' ? 'standby' : 'first';
  const next = { ...services, failures, refused, place: refused.includes(other) ? place : other } as const;
  if (place === 'standby') return next;
  return servedMs >= services.returnMs ? { ...next, returnMs } : withLaterReturn(next, returnMs);
}

/** Returns the services after a machine of the current one has handed the stream over: its next address follows. */
export function withHandOver(services: Services): Services {
  return { ...services, failures: services.failures + (services.place === 'first' ? 1 : 0) };
}

/** Returns the services after the first one has failed again: the wait for it doubles. */
export function withLaterReturn(services: Services, returnMs: number): Services {
  const laterMs = Math.min(2 * services.returnMs, MAX_RETURN_MS);
  return { ...services, returnMs: Math.max(laterMs, returnMs) };
}

/** Returns the services once one of them has accepted the stream. */
export function withAccepted(services: Services, place: Place): Services {
  return { ...services, place, refused: services.refused.filter(one => one !== place) };
}
