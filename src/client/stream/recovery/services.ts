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
