import type { PcmFormat, SampleFormat } from '../../audio/format/format.ts';
import { type Clock, systemClock } from '../../base/clock.ts';
import { InvalidArgumentError, requirePositive } from '../../base/errors.ts';
import type { Gate } from '../../flow/gate.ts';
import { SEGMENT_DURATION_SECONDS } from '../../protocol/limits.ts';
import { formatStreamQuery, ignoredValues, type StreamQuery } from '../../protocol/streamQuery.ts';
import { contentTypeOf } from './audioBlocks.ts';
import type { Fallback } from './fallback.ts';
import {
  type OverflowPolicy,
  type SpoolOptions,
  STANDBY_DEFAULTS,
  STREAM_DEFAULTS,
  type TranscribeOptions,
} from './options.ts';
import type { CatchUpOptions } from './recovery/catchUp.ts';
import type { ReconnectOptions } from './recovery/reconnect.ts';
import { streamAddress } from './session/address.ts';
import { type StandbySettings, standbySettings } from './standbySettings.ts';
import { type StreamTimeouts, timeoutSettings } from './streamTimeouts.ts';
import type { WireTap } from './wireTap.ts';

/** Options with all defaults filled in. */
export interface StreamSettings {
  readonly addresses: readonly URL[];
  readonly token: TranscribeOptions['token'];
  readonly query: Omit<StreamQuery, 'contentType'>;
  /** Names of options that do not exist. */
  readonly ignored: readonly string[];
  readonly sampleFormat: SampleFormat;
  readonly sampleRate?: number;
  readonly channels: number;
  readonly gate?: Gate;
  readonly standby?: StandbySettings;
  readonly resume: Required<ReconnectOptions> | false;
  readonly catchUp: Required<Pick<CatchUpOptions, 'speed' | 'burstSeconds'>>;
  readonly sessionSeconds: number;
  readonly idle: 'keepAlive' | 'close';
  readonly memorySeconds: number;
  readonly maxBufferedSeconds: number;
  readonly overflow: OverflowPolicy;
  readonly spool?: SpoolOptions;
  readonly fallback?: Fallback;
  readonly maxSegmentSeconds: number;
  readonly timeouts: StreamTimeouts;
  readonly tap?: WireTap;
  readonly clock: Clock;
}

/**
 * Checks options and fills in the defaults.
 *
 * @throws InvalidArgumentError for an invalid address or a number out of range
 * @throws StreamQueryError for values that the service would reject
 */
export function streamSettings(options: TranscribeOptions): StreamSettings {
  const {
    url,
    token,
    sampleFormat,
    sampleRate,
    channels,
    channelStreams,
    gate,
    signal: _signal,
    ...given
  } = options;
  const { clock, spool, fallback, tap, standby: _, ...rest } = given;
  const { resume, catchUp, sessionSeconds, idle, memorySeconds, maxBufferedSeconds, overflow, ...others } =
    rest;
  const { connectTimeoutMs, readyTimeoutMs, pingIntervalMs, pongTimeoutMs, ...more } = others;
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
  const session = positive({ sessionSeconds }, defaults.sessionSeconds);
  const second = secondService(options, query, session);
  return {
    addresses: addressesOf(url),
    token,
    query,
    ignored: ignoredValues({ ...query, ...second?.query }),
    ...format,
    ...(spool && { spool }),
    ...(fallback && { fallback }),
    ...(tap && { tap }),
    ...(sampleRate !== undefined && { sampleRate }),
    ...(gate && { gate }),
    ...(second && { standby: second }),
    resume: reconnectSettings(resume, second),
    catchUp: catchUpSettings(catchUp, second),
    sessionSeconds: session,
    idle: oneOf({ idle }, ['keepAlive', 'close'], defaults.idle),
    memorySeconds: positive({ memorySeconds }, defaults.memorySeconds),
    maxBufferedSeconds: positive({ maxBufferedSeconds }, defaults.maxBufferedSeconds),
    overflow: oneOf({ overflow }, ['fail', 'dropOldest', 'asyncOnly'], defaults.overflow),
    maxSegmentSeconds: query.maxSegmentDurationSeconds ?? SEGMENT_DURATION_SECONDS.max,
    timeouts: timeoutSettings(options, query),
    clock: clock ?? systemClock,
  };
}

/** Returns the settings of a standby, if there is one. */
function secondService(
  {
    standby,
    resume,
    connectTimeoutMs: connectMs,
    readyTimeoutMs: readyMs,
    pingIntervalMs,
    pongTimeoutMs: pongMs,
  }: TranscribeOptions,
  query: StreamSettings['query'],
  sessionSeconds: number,
): StandbySettings | undefined {
  if (!standby) return undefined;
  if (resume === false) {
    throw new InvalidArgumentError("Option 'resume' must not be false with a standby. Leave it out.");
  }
  const given = { connectMs, readyMs, pingIntervalMs, pongMs };
  const settings = standbySettings(standby, { query, sessionSeconds, given });
  checkQuery(settings.query, undefined);
  return settings;
}

function reconnectSettings(
  options: TranscribeOptions['resume'],
  standby: StandbySettings | undefined,
): StreamSettings['resume'] {
  if (options === false) return false;
  const defaults = STREAM_DEFAULTS.resume;
  const { baseDelayMs, maxDelayMs, firstConnectionSeconds, giveUpAfterSeconds, ...given } = options ?? {};
  return {
    random: given.random ?? defaults.random,
    baseDelayMs: positive({ 'resume.baseDelayMs': baseDelayMs }, defaults.baseDelayMs),
    maxDelayMs: positive({ 'resume.maxDelayMs': maxDelayMs }, defaults.maxDelayMs),
    firstConnectionSeconds: positive(
      { 'resume.firstConnectionSeconds': firstConnectionSeconds },
      // Time for both services, with timeouts that begin short.
      standby ? STANDBY_DEFAULTS.firstConnectionSeconds : defaults.firstConnectionSeconds,
    ),
    giveUpAfterSeconds: positive(
      { 'resume.giveUpAfterSeconds': giveUpAfterSeconds },
      defaults.giveUpAfterSeconds,
    ),
  };
}

function catchUpSettings(
  { speed, burstSeconds }: TranscribeOptions['catchUp'] = {},
  standby: StandbySettings | undefined,
): StreamSettings['catchUp'] {
  const { catchUp: defaults } = STREAM_DEFAULTS;
  const settings = {
    speed: positive({ 'catchUp.speed': speed }, defaults.speed),
    // A standby gets the whole of an unfinished segment at once, or its words would be late as well.
    burstSeconds: positive(
      { 'catchUp.burstSeconds': burstSeconds },
      standby ? SEGMENT_DURATION_SECONDS.max : defaults.burstSeconds,
    ),
  };
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

/** Returns the only value of a record, or the default; its key names the option in the error. */
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

/** Like {@link oneOf}, for numbers above 0. */
function positive(option: Readonly<Record<string, number | undefined>>, fallback: number): number {
  const [[name, value = fallback] = []] = Object.entries(option);
  return requirePositive(name!, value!);
}
