import { fullJitterMs } from '../../../base/backoff.ts';
import { positiveOptions } from '../../../base/errors.ts';
import { namedOptions } from '../../../base/namedOptions.ts';
import { IdleError, isRetryable, ShuttingDownError, TooManyRequestsError } from '../../serviceErrors.ts';

/** Options of the waits before a broken stream reconnects. */
export interface ReconnectOptions {
  /** Upper bound of the first wait, in milliseconds; it doubles with each further wait. Default 250. */
  readonly baseDelayMs?: number;
  /** Upper bound of every wait, in milliseconds. Default 15,000. */
  readonly maxDelayMs?: number;
  /**
   * Seconds for which a first connection is tried. An attempt without an answer to its handshake ends then. Default 5, or 20
   * with a standby.
   */
  readonly firstConnectionSeconds?: number;
  /**
   * Seconds of the longest outage, which ends with the next final or known silence. Timeouts of a connection are at most as
   * long, but for 5 s. Default 7200.
   */
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

/** Seconds for which a first connection is tried with a standby: the time must suffice for both services. */
export const STANDBY_CONNECTION_SECONDS = 20;

/** Checks the options of reconnection, and fills in the defaults. @throws InvalidArgumentError */
export function reconnectSettings(
  options: ReconnectOptions | false = {},
  hasStandby = false,
): Required<ReconnectOptions> | false {
  if (options === false) return false;
  namedOptions('ReconnectOptions', options, 'resume.');
  const { random, ...defaults } = RECONNECT_DEFAULTS;
  const firstConnectionSeconds = hasStandby ? STANDBY_CONNECTION_SECONDS : defaults.firstConnectionSeconds;
  const numbers = positiveOptions(options, { ...defaults, firstConnectionSeconds }, 'resume.');
  return { ...numbers, random: options.random ?? random };
}

/** A series of failed attempts without progress. */
export interface Outage {
  /** Time of the first failure, or of the last sign of life before it, in milliseconds of a clock. */
  readonly sinceMs: number;
  /** Milliseconds for which the first failure was awaited after the handshake: they do not count for a first connection. */
  readonly waitedMs: number;
  readonly failures: number;
}

export interface Failure {
  readonly error: unknown;
  /** Time of the failure, in milliseconds of the clock. */
  readonly nowMs: number;
  /** Milliseconds without an answer of the service. Default 0. */
  readonly waitedMs?: number;
  /** True when the handshake was not over. Default false. */
  readonly isHandshake?: boolean;
  /** True when a service was ever connected. */
  readonly wasConnected: boolean;
  /** True when another service follows, also after an error that cannot pass. Default false. */
  readonly hasOther?: boolean;
  /** True when there is a standby: the first two attempts follow at once. Default false. */
  readonly hasStandby?: boolean;
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
  {
    error,
    nowMs,
    waitedMs = 0,
    isHandshake = false,
    wasConnected,
    hasOther = false,
    hasStandby = false,
  }: Failure,
  options: Required<ReconnectOptions>,
): NextAttempt {
  if (isHandOver(outage, { error, wasConnected }))
    return { outage: { sinceMs: nowMs, waitedMs: 0, failures: 0 }, delayMs: 0 };
  const readyWaitMs = isHandshake ? 0 : waitedMs;
  const first = outage ?? { sinceMs: nowMs - waitedMs, waitedMs: readyWaitMs, failures: 0 };
  const { sinceMs, failures } = first;
  const next = { ...first, failures: failures + 1 };
  const endMs = wasConnected
    ? sinceMs + options.giveUpAfterSeconds * 1000
    : firstConnectionEndMs(first, nowMs, options);
  const restMs = endMs - nowMs;
  const passes = mayPass(error) || (wasConnected && outage && isOwnPlace(error, nowMs - sinceMs));
  // At the end of a first connection there is no time for another attempt.
  const leastMs = wasConnected || failures === 0 ? 0 : options.baseDelayMs;
  if (!(hasOther || passes) || restMs <= leastMs) return { outage: next };
  if (hasStandby && failures < 2) return { outage: next, delayMs: 0 };
  // Each of two services is tried at half of the attempts.
  const delayMs = fullJitterMs(hasStandby ? failures >> 1 : failures, {
    baseMs: options.baseDelayMs,
    capMs: options.maxDelayMs,
    random: options.random,
  });
  // The last attempt of a later outage is made at the limit.
  return { outage: next, delayMs: Math.min(delayMs, wasConnected ? restMs : restMs / 2) };
}

/** Milliseconds without an answer that are never an outage: a busy service may need them. */
const MIN_SILENCE_MS = 5000;

/** Returns the longest time without an answer before a service is given up, in milliseconds. */
export function maxSilenceMs(options: Pick<ReconnectOptions, 'giveUpAfterSeconds'> | false): number {
  const { giveUpAfterSeconds = Number.POSITIVE_INFINITY } = options || {};
  return Math.max(giveUpAfterSeconds * 1000, MIN_SILENCE_MS);
}

/** Returns the time at which the attempts at a first connection end, in milliseconds of the clock. */
export function firstConnectionEndMs(
  outage: Outage | undefined,
  nowMs: number,
  { firstConnectionSeconds, giveUpAfterSeconds }: Required<ReconnectOptions>,
): number {
  const { sinceMs, waitedMs } = outage ?? { sinceMs: nowMs, waitedMs: 0 };
  return sinceMs + Math.min(waitedMs + firstConnectionSeconds * 1000, giveUpAfterSeconds * 1000);
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
  /** Time at which the other service failed, in milliseconds of a clock; minus infinity before. */
  readonly leftMs: number;
}

/** The state before the first attempt. */
export const startOfServices: Services = {
  place: 'first',
  refused: [],
  failures: 0,
  leftMs: Number.NEGATIVE_INFINITY,
};

export interface ServiceFailure {
  readonly nowMs: number;
  /** True when the error may pass. */
  readonly mayPass: boolean;
  readonly hasStandby: boolean;
  /** True when the connection broke: the same service may be back within a second. */
  readonly isTriedAgain: boolean;
}

/** Returns the services after the current one has failed: the other one is next, unless its own error cannot pass. */
export function withFailure(services: Services, failure: ServiceFailure): Services {
  const { nowMs, mayPass, hasStandby, isTriedAgain } = failure;
  const { place } = services;
  const failures = services.failures + (place === 'first' ? 1 : 0);
  if (!hasStandby || (isTriedAgain && mayPass)) return { ...services, failures };
  const known = services.refused.filter(one => one !== place);
  const refused = mayPass ? known : [...known, place];
  const other = place === 'first' ? 'standby' : 'first';
  if (refused.includes(other)) return { ...services, failures, refused };
  return { failures, refused, place: other, leftMs: nowMs };
}

/** Returns the services after a machine of the current one has handed the stream over: its next address follows. */
export function withHandOver(services: Services): Services {
  return { ...services, failures: services.failures + (services.place === 'first' ? 1 : 0) };
}

/** Returns the services once the current one has accepted the stream. */
export function withAccepted(services: Services): Services {
  return { ...services, refused: services.refused.filter(one => one !== services.place) };
}
