import type { PcmFormat, SampleFormat } from '../../audio/format/format.ts';
import { type Clock, systemClock } from '../../base/clock.ts';
import { InvalidArgumentError, requirePositive } from '../../base/errors.ts';
import type { Gate } from '../../flow/gate.ts';
import {
  CONNECTION_WAIT_SECONDS,
  MAX_SESSION_SECONDS,
  SEGMENT_DURATION_SECONDS,
} from '../../protocol/limits.ts';
import { formatStreamQuery, type StreamQuery } from '../../protocol/streamQuery.ts';
import { contentTypeOf } from './audioBlocks.ts';
import type { Fallback } from './fallback.ts';
import { CATCH_UP_DEFAULTS, type CatchUpOptions } from './recovery/catchUp.ts';
import { RECONNECT_DEFAULTS, type ReconnectOptions } from './recovery/reconnect.ts';
import { streamAddress } from './session/address.ts';
import type { WireTap } from './wireTap.ts';

/** What to do when more audio has no text than may be kept. */
export type OverflowPolicy = 'fail' | 'dropOldest' | 'asyncOnly';

/** Where audio and transcript are kept until all is done. */
export interface SpoolOptions {
  /** Must not exist yet. */
  readonly path: string;
  /** 32 bytes with which the file is encrypted. Default: it is not. */
  readonly key?: Uint8Array;
  /** The file stays at the end as well, until whoever has the transcript deletes it. Default false. */
  readonly keep?: boolean;
  /** The service ends with this process: who resumes has to name another one. Default false. */
  readonly ownService?: boolean;
}

/** Where to stream to, what to ask for, and how long to wait. */
export interface TranscribeOptions extends Omit<StreamQuery, 'contentType'> {
  /**
   * Address of the service (`ws:`, `wss:`, `http:` or `https:`), or of its stream. Of several the first is used, and the
   * next one whenever a connection fails.
   */
  readonly url: string | URL | readonly (string | URL)[];
  /** Access token, or what gets one; that is called for each connection. */
  readonly token: string | (() => string | Promise<string>);
  /** How samples are written on the wire. Default `S16LE`. */
  readonly sampleFormat?: SampleFormat;
  /**
   * Hz, when it is known ahead: then the connection is made while the source is still starting, else at its first
   * block.
   */
  readonly sampleRate?: number;
  /** Channels that go with `sampleRate`. Default 1. */
  readonly channels?: number;
  /**
   * Audio of several channels goes in one stream, or each channel in a stream of its own with events that name the
   * channel: see {@link channelsApart}. A spool is then a file for each channel, with its number behind the name.
   * Default `together`.
   */
  readonly channelStreams?: 'together' | 'apart';
  /** Held while much audio is unsent, so that a source that can wait does. */
  readonly gate?: Gate;
  /** How a broken connection is followed by the next; `false`: it ends the stream. */
  readonly resume?: ReconnectOptions | false;
  /** How fast a live source's audio is sent that had to wait. */
  readonly catchUp?: Pick<CatchUpOptions, 'speed' | 'burstSeconds'>;
  /** How long one connection is used before a second one takes over at a pause, in seconds. Default 10,500. */
  readonly sessionSeconds?: number;
  /**
   * While the source gives nothing: the service is sent silence, so that it does not close, or the connection is ended
   * until there is audio again, so that no recogniser is held. Default `keepAlive`.
   */
  readonly idle?: 'keepAlive' | 'close';
  /** Audio that no final covers yet, in seconds: so much stands in memory, the rest in a file. Default 60. */
  readonly memorySeconds?: number;
  /** So much is kept in all, in memory and file, in seconds. Default 14,400. */
  readonly maxBufferedSeconds?: number;
  /**
   * What happens beyond that. `fail`: the stream fails. `dropOldest`: the oldest audio becomes a hole. `asyncOnly`:
   * nothing is streamed any more, all that has no text is left to the fallback. Default `fail`.
   */
  readonly overflow?: OverflowPolicy;
  /** A file from which `rxscribe resume` finishes the transcript when this process cannot; deleted at the end. */
  readonly spool?: SpoolOptions;
  /** Gets the text of what could not be streamed. */
  readonly fallback?: Fallback;
  /** For the token and the handshake. Default 10,000. */
  readonly connectTimeoutMs?: number;
  /** From the handshake to `connected`. Default: `maxConnectionWaitSeconds` and 10 s more. */
  readonly readyTimeoutMs?: number;
  /** From any answer to the next ping. Default 5000. */
  readonly pingIntervalMs?: number;
  /**
   * For the answer to a ping, beyond the time that the audio sent before it lasts (before `connected`, 5 s of that at
   * most): a service that is read at real time answers after that audio. Default 10,000.
   */
  readonly pongTimeoutMs?: number;
  /**
   * Without a message while words stand that are not final, although the service has read more audio than a segment can
   * have. Default 60,000.
   */
  readonly stallTimeoutMs?: number;
  /**
   * After `EOS`, between one message and the next. Default 60,000: twice the longest segment, for a service that works
   * no faster than real time.
   */
  readonly finalTimeoutMs?: number;
  /** Listens on the wire, as `record` of `rxscribe/replay` does. */
  readonly tap?: WireTap;
  /** Default: the machine's. */
  readonly clock?: Clock;
}

/** Defaults of {@link TranscribeOptions}. */
export const STREAM_DEFAULTS = {
  sampleFormat: 'S16LE',
  channels: 1,
  resume: RECONNECT_DEFAULTS,
  catchUp: CATCH_UP_DEFAULTS,
  /** Three hours less five minutes. */
  sessionSeconds: MAX_SESSION_SECONDS - 300,
  idle: 'keepAlive',
  memorySeconds: 60,
  maxBufferedSeconds: 14_400,
  overflow: 'fail',
  connectTimeoutMs: 10_000,
  /** Added to `maxConnectionWaitSeconds`. */
  readyMarginMs: 10_000,
  pingIntervalMs: 5000,
  pongTimeoutMs: 10_000,
  stallTimeoutMs: 60_000,
  finalTimeoutMs: 60_000,
} as const;

/** Options with all defaults filled in. */
export interface StreamSettings {
  readonly addresses: readonly URL[];
  readonly token: TranscribeOptions['token'];
  readonly query: Omit<StreamQuery, 'contentType'>;
  readonly sampleFormat: SampleFormat;
  readonly sampleRate?: number;
  readonly channels: number;
  readonly gate?: Gate;
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

/** All in milliseconds. */
export interface StreamTimeouts {
  readonly connectMs: number;
  readonly readyMs: number;
  readonly pingIntervalMs: number;
  readonly pongMs: number;
  readonly stallMs: number;
  readonly finalMs: number;
}

/**
 * Checks options and fills in the defaults.
 *
 * @throws InvalidArgumentError for an address or a number that cannot be used
 * @throws StreamQueryError for values that the service would refuse
 */
export function streamSettings(options: TranscribeOptions): StreamSettings {
  const { url, token, sampleFormat, sampleRate, channels, channelStreams, gate, ...given } = options;
  const { clock, spool, fallback, tap, ...rest } = given;
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
    throw new InvalidArgumentError('overflow: wanted a fallback with asyncOnly, found none');
  }
  const waitSeconds = query.maxConnectionWaitSeconds ?? CONNECTION_WAIT_SECONDS.default;
  return {
    addresses: addressesOf(url),
    ...{ token, query, ...format },
    ...(spool && { spool }),
    ...(fallback && { fallback }),
    ...(tap && { tap }),
    ...(sampleRate !== undefined && { sampleRate }),
    ...(gate && { gate }),
    resume: reconnectSettings(resume),
    catchUp: catchUpSettings(catchUp),
    sessionSeconds: positive({ sessionSeconds }, defaults.sessionSeconds),
    idle: oneOf({ idle }, ['keepAlive', 'close'], defaults.idle),
    memorySeconds: positive({ memorySeconds }, defaults.memorySeconds),
    maxBufferedSeconds: positive({ maxBufferedSeconds }, defaults.maxBufferedSeconds),
    overflow: oneOf({ overflow }, ['fail', 'dropOldest', 'asyncOnly'], defaults.overflow),
    maxSegmentSeconds: query.maxSegmentDurationSeconds ?? SEGMENT_DURATION_SECONDS.max,
    timeouts: {
      connectMs: positive({ connectTimeoutMs }, defaults.connectTimeoutMs),
      readyMs: positive({ readyTimeoutMs }, waitSeconds * 1000 + defaults.readyMarginMs),
      pingIntervalMs: positive({ pingIntervalMs }, defaults.pingIntervalMs),
      pongMs: positive({ pongTimeoutMs }, defaults.pongTimeoutMs),
      stallMs: positive({ stallTimeoutMs }, defaults.stallTimeoutMs),
      finalMs: positive({ finalTimeoutMs }, defaults.finalTimeoutMs),
    },
    clock: clock ?? systemClock,
  };
}

function reconnectSettings(options: TranscribeOptions['resume']): StreamSettings['resume'] {
  if (options === false) return false;
  const defaults = STREAM_DEFAULTS.resume;
  const { baseDelayMs, maxDelayMs, firstConnectionSeconds, giveUpAfterSeconds, ...given } = options ?? {};
  return {
    random: given.random ?? defaults.random,
    baseDelayMs: positive({ baseDelayMs }, defaults.baseDelayMs),
    maxDelayMs: positive({ maxDelayMs }, defaults.maxDelayMs),
    firstConnectionSeconds: positive({ firstConnectionSeconds }, defaults.firstConnectionSeconds),
    giveUpAfterSeconds: positive({ giveUpAfterSeconds }, defaults.giveUpAfterSeconds),
  };
}

function catchUpSettings({
  speed,
  burstSeconds,
}: TranscribeOptions['catchUp'] = {}): StreamSettings['catchUp'] {
  const { catchUp: defaults } = STREAM_DEFAULTS;
  const settings = {
    speed: positive({ speed }, defaults.speed),
    burstSeconds: positive({ burstSeconds }, defaults.burstSeconds),
  };
  if (settings.speed > 1) return settings;
  throw new InvalidArgumentError(`catchUp: wanted a speed above 1, found ${settings.speed}`);
}

function addressesOf(url: TranscribeOptions['url']): readonly URL[] {
  const bases = typeof url === 'string' || url instanceof URL ? [url] : url;
  if (bases.length === 0) throw new InvalidArgumentError('service address: wanted at least one, found none');
  return bases.map(streamAddress);
}

/** What a service would refuse is better refused before it is asked. */
function checkQuery(query: StreamSettings['query'], format: PcmFormat | undefined): void {
  formatStreamQuery({ ...query, contentType: format ? contentTypeOf(format) : { kind: 'any' } });
}

/** The one value of a record, or its default; the record's key names it in the error. */
function oneOf<Word extends string>(
  option: Readonly<Record<string, Word | undefined>>,
  words: readonly Word[],
  fallback: Word,
): Word {
  const [[name, value = fallback] = []] = Object.entries(option);
  if (words.includes(value!)) return value!;
  throw new InvalidArgumentError(`${name}: wanted ${words.join(' or ')}, found ${value}`);
}

/** As {@link oneOf}, for numbers above 0. */
function positive(option: Readonly<Record<string, number | undefined>>, fallback: number): number {
  const [[name, value = fallback] = []] = Object.entries(option);
  return requirePositive(name!, value!);
}
