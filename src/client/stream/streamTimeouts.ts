import { requirePositive } from '../../base/errors.ts';
import { CONNECTION_WAIT_SECONDS } from '../../protocol/limits.ts';
import type { StreamQuery } from '../../protocol/streamQuery.ts';
import { STREAM_DEFAULTS, type TranscribeOptions } from './options.ts';

/** Timeouts of one connection, in milliseconds. */
export interface StreamTimeouts {
  readonly connectMs: number;
  readonly readyMs: number;
  readonly pingIntervalMs: number;
  readonly pongMs: number;
  readonly stallMs: number;
  readonly finalMs: number;
}

/** Checks the timeouts of options and fills in the defaults. @throws InvalidArgumentError */
export function timeoutSettings(
  {
    connectTimeoutMs,
    readyTimeoutMs,
    pingIntervalMs,
    pongTimeoutMs,
    stallTimeoutMs,
    finalTimeoutMs,
  }: TranscribeOptions,
  {
    maxConnectionWaitSeconds: waitSeconds = CONNECTION_WAIT_SECONDS.default,
  }: Pick<StreamQuery, 'maxConnectionWaitSeconds'>,
): StreamTimeouts {
  const defaults = STREAM_DEFAULTS;
  return {
    connectMs: requirePositive('connectTimeoutMs', connectTimeoutMs ?? defaults.connectTimeoutMs),
    readyMs: requirePositive('readyTimeoutMs', readyTimeoutMs ?? waitSeconds * 1000 + defaults.readyMarginMs),
    pingIntervalMs: requirePositive('pingIntervalMs', pingIntervalMs ?? defaults.pingIntervalMs),
    pongMs: requirePositive('pongTimeoutMs', pongTimeoutMs ?? defaults.pongTimeoutMs),
    stallMs: requirePositive('stallTimeoutMs', stallTimeoutMs ?? defaults.stallTimeoutMs),
    finalMs: requirePositive('finalTimeoutMs', finalTimeoutMs ?? defaults.finalTimeoutMs),
  };
}
