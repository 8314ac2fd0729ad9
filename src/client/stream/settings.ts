import type { PcmFormat } from '../../audio/format/format.ts';
import { type Clock, systemClock } from '../../base/clock.ts';
import { InvalidArgumentError, positiveOptions, requireOneOf } from '../../base/errors.ts';
import { namedOptions, unknownOptions } from '../../base/namedOptions.ts';
import { formatStreamQuery, pickStreamOptions, type StreamOptions } from '../../protocol/streamQuery.ts';
import { checkedTokenOption, type TokenOption } from '../serviceAccess.ts';
import { streamAddress } from '../streamAddress.ts';
import { contentTypeOf } from './audioBlocks.ts';
import { type QueryChange, STREAM_DEFAULTS, type StandbyOptions, type TranscribeOptions } from './options.ts';
import type { Platform } from './platform.ts';
import { type CatchUpOptions, catchUpSettings } from './recovery/catchUp.ts';
import { type ReconnectOptions, reconnectSettings } from './recovery/reconnect.ts';
import { type TimeoutSettings, timeoutSettings } from './timeouts.ts';

/** Options of a stream with all defaults filled in, and the platform that it runs on. */
export interface StreamSettings
  extends Pick<TranscribeOptions, 'query$' | 'sampleRate' | 'gate' | 'spool' | 'fallback' | 'tap'>,
    Required<Pick<TranscribeOptions, 'sampleFormat' | 'channels' | 'idle' | 'overflow' | Limit>> {
  readonly platform: Platform;
  readonly clock: Clock;
  readonly addresses: readonly URL[];
  readonly token: TokenOption;
  readonly query: StreamOptions;
  /** Names of options that do not exist. */
  readonly ignored: readonly string[];
  readonly standby?: StandbySettings;
  readonly resume: Required<ReconnectOptions> | false;
  readonly catchUp: Required<CatchUpOptions>;
  readonly timeouts: TimeoutSettings;
}

type Limit = 'sessionSeconds' | 'memorySeconds' | 'maxBufferedSeconds';

/** Standby options with all defaults filled in. */
export interface StandbySettings {
  readonly address: URL;
  readonly token: TokenOption;
  /** Values that differ from those of the stream. */
  readonly query: QueryChange;
  readonly use$?: StandbyOptions['use$'];
}

/**
 * Checks options and fills in the defaults.
 *
 * @throws InvalidArgumentError for an invalid address or a number out of range
 * @throws StreamQueryError for values that the service would reject
 */
export function streamSettings(options: TranscribeOptions, platform: Platform): StreamSettings {
  namedOptions('TranscribeOptions', options);
  const defaults = STREAM_DEFAULTS;
  const { sampleRate, fallback, overflow = defaults.overflow, idle = defaults.idle } = options;
  const { sampleFormat = defaults.sampleFormat, channels = defaults.channels } = options;
  const query = pickStreamOptions(options);
  checkQuery(query, sampleRate === undefined ? undefined : { sampleFormat, channels, sampleRate });
  requireOneOf('channelStreams', options.channelStreams ?? 'together', ['together', 'apart']);
  if (overflow === 'asyncOnly' && !fallback) {
    throw new InvalidArgumentError(
      "Option 'overflow' can be 'asyncOnly' only with a fallback. Set the option 'fallback'.",
    );
  }
  const { sessionSeconds, memorySeconds, maxBufferedSeconds } = defaults;
  const hasStandby = options.standby !== undefined;
  const addresses = addressesOf(options.url);
  return {
    platform,
    clock: options.clock ?? systemClock,
    addresses,
    token: checkedTokenOption(options.token),
    query,
    query$: options.query$,
    ignored: [
      ...unknownOptions('TranscribeOptions', options),
      ...unknownOptions('StreamOptions', options.standby?.query ?? {}),
    ],
    standby: standbySettings(options, query),
    sampleFormat,
    sampleRate,
    channels,
    gate: options.gate,
    spool: options.spool,
    fallback,
    tap: options.tap,
    ...positiveOptions(options, { sessionSeconds, memorySeconds, maxBufferedSeconds }),
    resume: reconnectSettings(options.resume, hasStandby),
    catchUp: catchUpSettings(options.catchUp, hasStandby || addresses.length > 1),
    idle: requireOneOf('idle', idle, ['keepAlive', 'close']),
    overflow: requireOneOf('overflow', overflow, ['fail', 'dropOldest', 'asyncOnly']),
    timeouts: timeoutSettings(options),
  };
}

/** Returns the settings of a standby, if there is one. */
function standbySettings(
  { standby, resume }: TranscribeOptions,
  query: StreamOptions,
): StandbySettings | undefined {
  if (!standby) return undefined;
  namedOptions('StandbyOptions', standby, 'standby.');
  if (resume === false) {
    throw new InvalidArgumentError("Option 'resume' must not be false with a standby. Leave it out.");
  }
  const settings = {
    address: streamAddress(standby.url),
    token: checkedTokenOption(standby.token, 'standby.token'),
    query: namedOptions('StreamOptions', standby.query ?? {}, 'standby.query.'),
    use$: standby.use$,
  };
  checkQuery({ ...query, ...settings.query }, undefined);
  return settings;
}

function addressesOf(url: TranscribeOptions['url']): readonly URL[] {
  const bases = Array.isArray(url) ? url : [url];
  if (bases.length === 0) throw new InvalidArgumentError("Option 'url' must name at least one address.");
  return bases.map(streamAddress);
}

/** Rejects values that a service would reject, before any connection. */
function checkQuery(query: StreamOptions, format: PcmFormat | undefined): void {
  formatStreamQuery({ ...query, contentType: format ? contentTypeOf(format) : { kind: 'any' } });
}
