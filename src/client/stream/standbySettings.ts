import { requirePositive } from '../../base/errors.ts';
import type { StreamQuery } from '../../protocol/streamQuery.ts';
import { STANDBY_DEFAULTS, type StandbyOptions } from './options.ts';
import { streamAddress } from './session/address.ts';
import type { StreamTimeouts } from './streamTimeouts.ts';

/** Timeouts that are shorter while another service can take over. */
export type UrgentTimeouts = Pick<StreamTimeouts, 'connectMs' | 'readyMs' | 'pingIntervalMs' | 'pongMs'>;

/** Standby options with all defaults filled in. */
export interface StandbySettings {
  readonly address: URL;
  readonly token: StandbyOptions['token'];
  readonly query: Omit<StreamQuery, 'contentType'>;
  readonly takeOverMs: number;
  readonly returnMs: number;
  readonly timeouts: UrgentTimeouts;
}

export interface StandbyContext {
  /** Query of the stream. */
  readonly query: Omit<StreamQuery, 'contentType'>;
  readonly sessionSeconds: number;
  /** Timeouts that were set, which stay as they are. */
  readonly given: { readonly [Name in keyof UrgentTimeouts]: number | undefined };
}

/** Milliseconds of the shortest interval between an answer and the next ping. */
const MIN_PING_INTERVAL_MS = 50;

/** Checks standby options and fills in the defaults. @throws InvalidArgumentError */
export function standbySettings(
  options: StandbyOptions,
  { query, sessionSeconds, given }: StandbyContext,
): StandbySettings {
  const { url, token, takeOverSeconds, returnAfterSeconds } = options;
  const defaults = STANDBY_DEFAULTS;
  const seconds = (name: 'takeOverSeconds' | 'returnAfterSeconds', value: number | undefined) =>
    requirePositive(`standby.${name}`, value ?? defaults[name]);
  const takeOverMs = seconds('takeOverSeconds', takeOverSeconds) * 1000;
  const returnSeconds = seconds('returnAfterSeconds', returnAfterSeconds);
  return {
    address: streamAddress(url),
    token,
    query: { ...query, ...options.query },
    takeOverMs,
    // A session has to last for a return.
    returnMs: Math.min(returnSeconds, sessionSeconds / 2) * 1000,
    timeouts: {
      connectMs: given.connectMs ?? takeOverMs,
      readyMs: given.readyMs ?? takeOverMs,
      // A service that stops right after an answer is left after 5/8 of the time: interval, timeout, and the audio between
      // two pings. The rest is for the connection and the backlog.
      pingIntervalMs: given.pingIntervalMs ?? Math.max(MIN_PING_INTERVAL_MS, takeOverMs / 8),
      pongMs: given.pongMs ?? (takeOverMs * 3) / 8,
    },
  };
}

/**
 * Returns the timeouts of a connection after so many failures of an outage.
 *
 * With a standby they begin short and double with each failure, up to those without one: on a slow network the short ones
 * would end each connection.
 */
export function timeoutsAfter(
  failures: number,
  { timeouts, standby }: { readonly timeouts: StreamTimeouts; readonly standby?: StandbySettings },
): StreamTimeouts {
  if (!standby) return timeouts;
  const { connectMs, readyMs, pingIntervalMs, pongMs } = standby.timeouts;
  const scale = 2 ** failures;
  return {
    ...timeouts,
    connectMs: Math.min(connectMs * scale, timeouts.connectMs),
    readyMs: Math.min(readyMs * scale, timeouts.readyMs),
    pingIntervalMs: Math.min(pingIntervalMs, timeouts.pingIntervalMs),
    pongMs: Math.min(pongMs * scale, timeouts.pongMs),
  };
}
