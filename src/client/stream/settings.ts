import type { PcmFormat } from '../../audio/format/format.ts';
import { systemClock } from '../../base/clock.ts';
import { InvalidArgumentError, requirePositive } from '../../base/errors.ts';
import { CONNECTION_WAIT_SECONDS, SEGMENT_DURATION_SECONDS } from '../../protocol/limits.ts';
import { formatStreamQuery, ignoredValues, type StreamOptions } from '../../protocol/streamQuery.ts';
import type { createReplayStore } from '../spool/createReplayStore.ts';
import type { openSpool } from '../spool/openSpool.ts';
import { streamAddress } from '../streamAddress.ts';
import { contentTypeOf } from './audioBlocks.ts';
import {
  type QueryChange,
  STANDBY_DEFAULTS,
  STREAM_DEFAULTS,
  type StandbyOptions,
  type TranscribeOptions,
} from './options.ts';
import type { CatchUpOptions } from './recovery/catchUp.ts';
import type { ReconnectOptions } from './recovery/reconnect.ts';
import type { openSocket } from './socket.ts';

/** Parts of a stream that differ between Node and browsers. */
export interface Platform {
  readonly openSocket: typeof openSocket;
  readonly createReplayStore: typeof createReplayStore;
  readonly openSpool: typeof openSpool;
}

/** Settings of a stream, with the platform that it runs on. */
export type RunSettings = StreamSettings & { readonly platform: Platform };

/** Options with all defaults filled in. */
export interface StreamSettings
  extends Pick<TranscribeOptions, 'token' | 'query$' | 'sampleRate' | 'gate' | 'spool' | 'fallback' | 'tap'>,
    Required<Pick<TranscribeOptions, Limit | 'sampleFormat' | 'channels' | 'idle' | 'overflow' | 'clock'>> {
  readonly addresses: readonly URL[];
  readonly query: StreamOptions;
  /** Names of options that do not exist. */
  readonly ignored: readonly string[];
  readonly standby?: StandbySettings;
  readonly resume: Required<ReconnectOptions> | false;
  readonly catchUp: Required<Pick<CatchUpOptions, 'speed' | 'burstSeconds'>>;
  /** Without `readyTimeoutMs`, it follows from the query. */
  readonly timeouts: Omit<StreamTimeouts, 'readyTimeoutMs'> & Pick<TranscribeOptions, 'readyTimeoutMs'>;
}

type Limit = 'sessionSeconds' | 'memorySeconds' | 'maxBufferedSeconds';

/** Timeouts of one connection, in milliseconds. */
export type StreamTimeouts = Required<
  Pick<TranscribeOptions, UrgentTimeout | 'stallTimeoutMs' | 'finalTimeoutMs'>
>;

/** Timeouts that are shorter while another service can take over. */
type UrgentTimeout = 'connectTimeoutMs' | 'readyTimeoutMs' | 'pingIntervalMs' | 'pongTimeoutMs';

/** Standby options with all defaults filled in. */
export interface StandbySettings {
  readonly address: URL;
  readonly token: StandbyOptions['token'];
  /** Values that differ from those of the stream. */
  readonly query: QueryChange;
  readonly takeOverMs: number;
  readonly returnMs: number;
  readonly timeouts: Pick<StreamTimeouts, UrgentTimeout>;
}

/** Minimum interval between an answer and the next ping, in milliseconds. */
const MIN_PING_INTERVAL_MS = 50;

/**
 * Checks options and fills in the defaults.
 *
 * @throws InvalidArgumentError for an invalid address or a number out of range
 * @throws StreamQueryError for values that the service would reject
 */
export function streamSettings(options: TranscribeOptions): StreamSettings {
  const { url, token, query$, sampleFormat, sampleRate, channels, channelStreams, gate, signal, ...given } =
    options;
  const { clock, spool, fallback, tap, standby: _, resume, catchUp, idle, overflow, ...others } = given;
  const { sessionSeconds, memorySeconds, maxBufferedSeconds, ...timed } = others;
  const { connectTimeoutMs, readyTimeoutMs, pingIntervalMs, pongTimeoutMs, ...more } = timed;
  const { stallTimeoutMs, finalTimeoutMs, ...query } = more;
  const defaults = STREAM_DEFAULTS;
  const format = {
    sampleFormat: sampleFormat ?? defaults.sampleFormat,
    channels: channels ?? defaults.channels,
  };
  oneOf({ channelStreams }, ['together', 'apart'], 'together');
  checkQuery(query, sampleRate === undefined ? undefined : { ...format, sampleRate });
  if (overflow === 'asyncOnly' && !fallback) {
    throw new InvalidArgumentError(
      "Option 'overflow' can be 'asyncOnly' only with a fallback. Set the option 'fallback'.",
    );
  }
  const limits = positiveOnes(options, {
    sessionSeconds: defaults.sessionSeconds,
    memorySeconds: defaults.memorySeconds,
    maxBufferedSeconds: defaults.maxBufferedSeconds,
  });
  const standby = standbySettings(options, query, limits.sessionSeconds);
  return {
    ...{ token, query, query$, sampleRate, gate, spool, standby, fallback, tap },
    addresses: addressesOf(url),
    ignored: ignoredValues({ ...query, ...standby?.query }),
    ...format,
    ...limits,
    resume: reconnectSettings(resume, standby),
    catchUp: catchUpSettings(catchUp, standby),
    idle: oneOf({ idle }, ['keepAlive', 'close'], defaults.idle),
    overflow: oneOf({ overflow }, ['fail', 'dropOldest', 'asyncOnly'], defaults.overflow),
    timeouts: timeoutSettings(options),
    clock: clock ?? systemClock,
  };
}

/**
 * Returns the timeouts of a connection after a number of failures in an outage.
 *
 * With a standby they begin short and double with each failure, up to those without a standby: a slow network would break
 * every connection at the short ones.
 */
export function timeoutsAfter(
  failures: number,
  { timeouts: given, standby }: Pick<StreamSettings, 'timeouts' | 'standby'>,
  { maxConnectionWaitSeconds: waitSeconds = CONNECTION_WAIT_SECONDS.default }: StreamSettings['query'],
): StreamTimeouts {
  const { readyTimeoutMs = waitSeconds * 1000 + STREAM_DEFAULTS.readyMarginMs } = given;
  const timeouts = { ...given, readyTimeoutMs };
  if (!standby) return timeouts;
  const scaled = (name: UrgentTimeout, scale: number) =>
    Math.min(standby.timeouts[name] * scale, timeouts[name]);
  const scale = 2 ** failures;
  return {
    ...timeouts,
    connectTimeoutMs: scaled('connectTimeoutMs', scale),
    readyTimeoutMs: scaled('readyTimeoutMs', scale),
    pingIntervalMs: scaled('pingIntervalMs', 1),
    pongTimeoutMs: scaled('pongTimeoutMs', scale),
  };
}

function timeoutSettings(options: TranscribeOptions): StreamSettings['timeouts'] {
  const { connectTimeoutMs, pingIntervalMs, pongTimeoutMs, stallTimeoutMs, finalTimeoutMs } = STREAM_DEFAULTS;
  const { readyTimeoutMs } = options;
  if (readyTimeoutMs !== undefined) requirePositive('readyTimeoutMs', readyTimeoutMs);
  const defaults = { connectTimeoutMs, pingIntervalMs, pongTimeoutMs, stallTimeoutMs, finalTimeoutMs };
  return { ...positiveOnes(options, defaults), readyTimeoutMs };
}

/** Returns the settings of a standby, if there is one. */
function standbySettings(
  options: TranscribeOptions,
  query: StreamSettings['query'],
  sessionSeconds: number,
): StandbySettings | undefined {
  const { standby, resume } = options;
  if (!standby) return undefined;
  if (resume === false) {
    throw new InvalidArgumentError("Option 'resume' must not be false with a standby. Leave it out.");
  }
  const { takeOverSeconds, returnAfterSeconds } = STANDBY_DEFAULTS;
  const seconds = positiveOnes(standby, { takeOverSeconds, returnAfterSeconds }, 'standby.');
  const takeOverMs = seconds.takeOverSeconds * 1000;
  const settings = {
    address: streamAddress(standby.url),
    token: standby.token,
    query: standby.query ?? {},
    takeOverMs,
    // The session of the standby must outlast the wait for a return.
    returnMs: Math.min(seconds.returnAfterSeconds, sessionSeconds / 2) * 1000,
    timeouts: {
      connectTimeoutMs: options.connectTimeoutMs ?? takeOverMs,
      readyTimeoutMs: options.readyTimeoutMs ?? takeOverMs,
      // The stream leaves a service that stops right after an answer within 5/8 of the time: interval, timeout, and the
      // audio between two pings. The remaining 3/8 are for the connection and the backlog.
      pingIntervalMs: options.pingIntervalMs ?? Math.max(MIN_PING_INTERVAL_MS, takeOverMs / 8),
      pongTimeoutMs: options.pongTimeoutMs ?? (takeOverMs * 3) / 8,
    },
  };
  checkQuery({ ...query, ...settings.query }, undefined);
  return settings;
}

function reconnectSettings(
  options: TranscribeOptions['resume'],
  standby: StandbySettings | undefined,
): StreamSettings['resume'] {
  if (options === false) return false;
  const { random, ...defaults } = STREAM_DEFAULTS.resume;
  // The time must suffice for both services.
  const { firstConnectionSeconds } = standby ? STANDBY_DEFAULTS : defaults;
  const numbers = positiveOnes(options ?? {}, { ...defaults, firstConnectionSeconds }, 'resume.');
  return { ...numbers, random: options?.random ?? random };
}

function catchUpSettings(
  options: TranscribeOptions['catchUp'] = {},
  standby: StandbySettings | undefined,
): StreamSettings['catchUp'] {
  const { speed, burstSeconds } = STREAM_DEFAULTS.catchUp;
  // A standby gets a whole unfinished segment at once; otherwise its words would be late as well.
  const burst = standby ? SEGMENT_DURATION_SECONDS.max : burstSeconds;
  const settings = positiveOnes(options, { speed, burstSeconds: burst }, 'catchUp.');
  if (settings.speed > 1) return settings;
  throw new InvalidArgumentError(`Option 'catchUp.speed' must be above 1, not ${settings.speed}.`);
}

function addressesOf(url: TranscribeOptions['url']): readonly URL[] {
  const bases = Array.isArray(url) ? url : [url];
  if (bases.length === 0) throw new InvalidArgumentError("Option 'url' must name at least one address.");
  return bases.map(streamAddress);
}

/** Rejects values that a service would reject, before any connection. */
function checkQuery(query: StreamSettings['query'], format: PcmFormat | undefined): void {
  formatStreamQuery({ ...query, contentType: format ? contentTypeOf(format) : { kind: 'any' } });
}

/** Returns the only value of a record, or the default. The key names the option in the error. */
function oneOf<Word extends string>(
  option: Readonly<Record<string, Word | undefined>>,
  words: readonly Word[],
  fallback: Word,
): Word {
  const [[name, value = fallback] = []] = Object.entries(option);
  if (words.includes(value!)) return value!;
  throw new InvalidArgumentError(
    `Option '${name}' must be ${words.map(word => `'${word}'`).join(' or ')}, not '${value}'.`,
  );
}

/** Returns the numbers of options, or their defaults. Errors name an option with the prefix. */
function positiveOnes<Name extends string>(
  options: { readonly [Key in NoInfer<Name>]?: number },
  defaults: Readonly<Record<Name, number>>,
  prefix = '',
): Record<Name, number> {
  const names = Object.keys(defaults) as Name[];
  const numbers = names.map(name => [name, requirePositive(prefix + name, options[name] ?? defaults[name])]);
  return Object.fromEntries(numbers);
}
