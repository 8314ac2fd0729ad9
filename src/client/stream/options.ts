import type { AudioContentType } from '../../audio/contentType.ts';
import type { SampleFormat } from '../../audio/format.ts';
import { type Clock, systemClock } from '../../base/clock.ts';
import { InvalidArgumentError } from '../../base/errors.ts';
import type { Gate } from '../../flow/gate.ts';
import { CONNECTION_WAIT_SECONDS } from '../../protocol/limits.ts';
import { formatStreamQuery, type StreamQuery } from '../../protocol/streamQuery.ts';
import { streamAddress } from './address.ts';
import type { OverflowPolicy } from './backlog.ts';
import { contentTypeOf } from './encoder.ts';

/** Where to stream to, what to ask for, and how long to wait. */
export interface TranscribeOptions extends Omit<StreamQuery, 'contentType'> {
  /** Address of the service (`ws:`, `wss:`, `http:` or `https:`), or of its stream. */
  readonly url: string | URL;
  /** Access token, or what gets one; that is called for each connection. */
  readonly token: string | (() => string | Promise<string>);
  /** How samples are written on the wire. Default `S16LE`. */
  readonly sampleFormat?: SampleFormat;
  /**
   * Hz, when it is known ahead: then the connection is made while the source is still starting, else at its first
   * block. A service closes a stream that stays without audio (15 s).
   */
  readonly sampleRate?: number;
  /** Channels that go with `sampleRate`. Default 1. */
  readonly channels?: number;
  /** Held while much audio is unsent, so that a source that can wait does. */
  readonly gate?: Gate;
  /** Unsent audio that is kept for a source that does not wait, in seconds. Default 60. */
  readonly maxBufferedSeconds?: number;
  /** What happens beyond that: the stream fails, or the oldest audio is left out, with a warning. Default `fail`. */
  readonly overflow?: OverflowPolicy;
  /** For the token and the handshake. Default 10,000. */
  readonly connectTimeoutMs?: number;
  /** From the handshake to `connected`. Default: `maxConnectionWaitSeconds` and 10 s more. */
  readonly readyTimeoutMs?: number;
  /** From any answer to the next ping. Default 5000. */
  readonly pingIntervalMs?: number;
  /**
   * For the answer to a ping, beyond the time that the audio sent before it lasts: a service that is read at real time
   * answers after that audio. Default 10,000.
   */
  readonly pongTimeoutMs?: number;
  /**
   * After `EOS`, between one message and the next. Default 60,000: twice the longest segment, for a service that works
   * no faster than real time.
   */
  readonly finalTimeoutMs?: number;
  /** Default: the machine's. */
  readonly clock?: Clock;
}

/** Defaults of {@link TranscribeOptions}. */
export const STREAM_DEFAULTS = {
  sampleFormat: 'S16LE',
  channels: 1,
  maxBufferedSeconds: 60,
  overflow: 'fail',
  connectTimeoutMs: 10_000,
  /** Added to `maxConnectionWaitSeconds`. */
  readyMarginMs: 10_000,
  pingIntervalMs: 5000,
  pongTimeoutMs: 10_000,
  finalTimeoutMs: 60_000,
} as const;

/** Options with all defaults filled in. */
export interface StreamSettings {
  readonly address: URL;
  readonly token: TranscribeOptions['token'];
  readonly query: Omit<StreamQuery, 'contentType'>;
  readonly sampleFormat: SampleFormat;
  readonly sampleRate?: number;
  readonly channels: number;
  readonly gate?: Gate;
  readonly maxBufferedSeconds: number;
  readonly overflow: OverflowPolicy;
  readonly timeouts: StreamTimeouts;
  readonly clock: Clock;
}

/** All in milliseconds. */
export interface StreamTimeouts {
  readonly connectMs: number;
  readonly readyMs: number;
  readonly pingIntervalMs: number;
  readonly pongMs: number;
  readonly finalMs: number;
}

/**
 * Checks options and fills in the defaults.
 *
 * @throws InvalidArgumentError for an address or a number that cannot be used
 * @throws StreamQueryError for values that the service would refuse
 */
export function streamSettings(options: TranscribeOptions): StreamSettings {
  const { url, token, sampleFormat, sampleRate, channels, gate, clock, ...rest } = options;
  const { maxBufferedSeconds, overflow, connectTimeoutMs, readyTimeoutMs, ...others } = rest;
  const { pingIntervalMs, pongTimeoutMs, finalTimeoutMs, ...query } = others;
  const format = {
    sampleFormat: sampleFormat ?? STREAM_DEFAULTS.sampleFormat,
    channels: channels ?? STREAM_DEFAULTS.channels,
  };
  const contentType: AudioContentType =
    sampleRate === undefined ? { kind: 'any' } : contentTypeOf({ ...format, sampleRate });
  formatStreamQuery({ ...query, contentType });
  const waitSeconds = query.maxConnectionWaitSeconds ?? CONNECTION_WAIT_SECONDS.default;
  const maxReadyMs = waitSeconds * 1000 + STREAM_DEFAULTS.readyMarginMs;
  return {
    address: streamAddress(url),
    token,
    query,
    ...format,
    ...(sampleRate !== undefined && { sampleRate }),
    ...(gate && { gate }),
    maxBufferedSeconds: positive({ maxBufferedSeconds }, STREAM_DEFAULTS.maxBufferedSeconds),
    overflow: overflow ?? STREAM_DEFAULTS.overflow,
    timeouts: {
      connectMs: positive({ connectTimeoutMs }, STREAM_DEFAULTS.connectTimeoutMs),
      readyMs: positive({ readyTimeoutMs }, maxReadyMs),
      pingIntervalMs: positive({ pingIntervalMs }, STREAM_DEFAULTS.pingIntervalMs),
      pongMs: positive({ pongTimeoutMs }, STREAM_DEFAULTS.pongTimeoutMs),
      finalMs: positive({ finalTimeoutMs }, STREAM_DEFAULTS.finalTimeoutMs),
    },
    clock: clock ?? systemClock,
  };
}

/** The one value of a record, or its default; the record's key names it in the error. */
function positive(option: Readonly<Record<string, number | undefined>>, fallback: number): number {
  const [[name, value = fallback] = []] = Object.entries(option);
  if (value! > 0) return value!;
  throw new InvalidArgumentError(`${name}: wanted a number above 0, found ${value}`);
}
