import { positiveOptions, requirePositive } from '../../base/errors.ts';
import { CONNECTION_WAIT_SECONDS } from '../../protocol/limits.ts';
import { STREAM_DEFAULTS, type TranscribeOptions } from './options.ts';

/** Timeouts of one connection, in milliseconds. */
export type StreamTimeouts = Required<
  Pick<TranscribeOptions, UrgentTimeout | 'stallTimeoutMs' | 'finalTimeoutMs'>
>;

/** Timeouts that are shorter while another service can take over. */
type UrgentTimeout = 'connectTimeoutMs' | 'readyTimeoutMs' | 'pingIntervalMs' | 'pongTimeoutMs';

/** The timeouts of all connections. */
export interface TimeoutSettings {
  /** Without `readyTimeoutMs`, it follows from the query. */
  readonly usual: Omit<StreamTimeouts, 'readyTimeoutMs'> & Pick<TranscribeOptions, 'readyTimeoutMs'>;
  /** Timeouts while a standby can take over; absent without one. */
  readonly urgent?: Pick<StreamTimeouts, UrgentTimeout>;
}

/** Factor of the time for the handshake of a first connection. */
const FIRST_SCALE = 4;

/** Defaults while another service can take over, in milliseconds. A service that answers pings may be about to start. */
const URGENT_TIMEOUTS = {
  connectTimeoutMs: 1000,
  readyTimeoutMs: 8000,
  pingIntervalMs: 1000,
  // The second of audio between two pings comes on top.
  pongTimeoutMs: 1000,
} as const satisfies Record<UrgentTimeout, number>;

/** @throws InvalidArgumentError for a timeout that is not above 0 */
export function timeoutSettings(options: TranscribeOptions): TimeoutSettings {
  const { connectTimeoutMs, pingIntervalMs, pongTimeoutMs, stallTimeoutMs, finalTimeoutMs } = STREAM_DEFAULTS;
  const { readyTimeoutMs, standby } = options;
  if (readyTimeoutMs !== undefined) requirePositive('readyTimeoutMs', readyTimeoutMs);
  const defaults = { connectTimeoutMs, pingIntervalMs, pongTimeoutMs, stallTimeoutMs, finalTimeoutMs };
  const usual = { ...positiveOptions(options, defaults), readyTimeoutMs };
  return standby ? { usual, urgent: positiveOptions(options, URGENT_TIMEOUTS) } : { usual };
}

/**
 * Returns the timeouts of a connection.
 *
 * With a standby they are short, and double after each two failures of an outage, one of each service, up to those without a
 * standby: a slow network would break every connection at the short ones.
 *
 * @param failures those of the outage; undefined for a first connection
 */
export function timeoutsAfter(
  failures: number | undefined,
  { usual, urgent }: TimeoutSettings,
  waitSeconds: number = CONNECTION_WAIT_SECONDS.default,
): StreamTimeouts {
  const { readyTimeoutMs = waitSeconds * 1000 + STREAM_DEFAULTS.readyMarginMs } = usual;
  const timeouts = { ...usual, readyTimeoutMs };
  if (!urgent) return timeouts;
  const scaled = (name: UrgentTimeout, scale: number) => Math.min(urgent[name] * scale, timeouts[name]);
  const scale = 2 ** ((failures ?? 0) >> 1);
  return {
    ...timeouts,
    connectTimeoutMs: scaled('connectTimeoutMs', failures === undefined ? FIRST_SCALE : scale),
    readyTimeoutMs: scaled('readyTimeoutMs', scale),
    pingIntervalMs: scaled('pingIntervalMs', 1),
    pongTimeoutMs: scaled('pongTimeoutMs', scale),
  };
}
