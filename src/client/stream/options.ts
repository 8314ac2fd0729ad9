import type { Observable } from 'rxjs';
import type { SampleFormat } from '../../audio/format/format.ts';
import type { Clock } from '../../base/clock.ts';
import type { Gate } from '../../flow/gate.ts';
import { MAX_SESSION_SECONDS } from '../../protocol/limits.ts';
import type { StreamOptions } from '../../protocol/streamQuery.ts';
import type { Fallback } from './fallback.ts';
import { CATCH_UP_DEFAULTS, type CatchUpOptions } from './recovery/catchUp.ts';
import { RECONNECT_DEFAULTS, type ReconnectOptions } from './recovery/reconnect.ts';
import type { WireTap } from './wireTap.ts';

/** Values of a query that may change while a source is streamed. */
export type QueryChange = Omit<StreamOptions, 'startTs'>;

/** Policy for audio without text beyond `maxBufferedSeconds`. */
export type OverflowPolicy = 'fail' | 'dropOldest' | 'asyncOnly';

/** The directory that keeps audio and transcript until the transcript is complete. */
export interface SpoolOptions {
  /** Path of the directory, which must not exist yet. */
  readonly path: string;
  /** True to keep it at the end as well, until you delete it. Default false. */
  readonly keep?: boolean;
  /** True when the service ends with this process, so that a resume has to name another one. Default false. */
  readonly serviceEndsWithProcess?: boolean;
}

/** A second service, which goes on when the first one fails, has no words for speech, or refuses the stream. */
export interface StandbyOptions {
  /** Address of the service (`ws:`, `wss:`, `http:` or `https:`), or of its stream. */
  readonly url: string | URL;
  /** Access token of this service, or a function that returns one, called for each connection. */
  readonly token: string | (() => string | Response | Promise<string | Response>);
  /** Values of the query that differ at this service; `undefined` leaves a value out. */
  readonly query?: QueryChange;
  /** Service to which the audio goes from now on, whenever it emits. Default: only failures change the service. */
  readonly use$?: Observable<'first' | 'standby'>;
}

/** Options of {@link transcribe}: addresses, query, limits of time and space. */
export interface TranscribeOptions extends StreamOptions {
  /**
   * Address of the service (`ws:`, `wss:`, `http:` or `https:`), or of its stream. With several, the first one is used, and
   * the next one whenever a connection fails.
   */
  readonly url: string | URL | readonly (string | URL)[];
  /**
   * Access token, or a function that returns one, or a response with one, called for each connection. An error is followed by
   * another call, unless its `status`, or that of the response, is final, such as 403.
   */
  readonly token: string | (() => string | Response | Promise<string | Response>);
  /**
   * Second service, which goes on when the first one fails, has no words for speech, or refuses the stream, until it fails
   * itself. Default: none.
   */
  readonly standby?: StandbyOptions;
  /**
   * Changes of the query, such as another language. The audio before a change keeps the query before: its session ends with
   * its last final, and the next audio begins another one, so that no frame is lost or doubled. A change at the beginning of
   * a pause ends the recognition until there is audio again. After a query that the service refuses
   * (warning `query-refused`), the one before stays in force; one that is not valid ends the stream with StreamQueryError.
   * Default: none.
   */
  readonly query$?: Observable<QueryChange>;
  /** Sample format on the wire. Default `S16LE`. */
  readonly sampleFormat?: SampleFormat;
  /**
   * Sample rate in Hz, when it is known ahead: then the stream connects while the source is still starting. Default: that of
   * the first block, which also starts the connection.
   */
  readonly sampleRate?: number;
  /** Number of channels, with `sampleRate`. Default 1. */
  readonly channels?: number;
  /**
   * Sends several channels in one stream, or each channel in a stream of its own with events that name the channel: see
   * {@link channelsApart}. There is then one spool per channel, with the number of the channel after the path. Default
   * `together`.
   */
  readonly channelStreams?: 'together' | 'apart';
  /** Ends the stream with the signal's reason, as when its source fails. Default: none. */
  readonly signal?: AbortSignal;
  /** Gate that is held while much audio is unsent, for a source that does not wait by itself. */
  readonly gate?: Gate;
  /** Limits of reconnection; `false` ends the stream when its connection breaks. */
  readonly resume?: ReconnectOptions | false;
  /** Speed at which the backlog of a live source is sent. */
  readonly catchUp?: CatchUpOptions;
  /** Seconds after which a second connection takes over, at a pause. Default 10,500. */
  readonly sessionSeconds?: number;
  /**
   * Behaviour while the source gives no audio. `keepAlive`: silence is sent, so that the service does not close the
   * connection. `close`: the connection is closed until there is audio again, so that no recogniser is held. Default
   * `keepAlive`.
   */
  readonly idle?: 'keepAlive' | 'close';
  /** Seconds of audio without a final that stay in memory; the rest is in a file. With a spool, all is in files. Default 60. */
  readonly memorySeconds?: number;
  /** Seconds of audio without a final that are kept in all, in memory and file. Default 14,400. */
  readonly maxBufferedSeconds?: number;
  /**
   * Behaviour beyond `maxBufferedSeconds`. `fail`: the stream fails. `dropOldest`: the oldest audio becomes a hole.
   * `asyncOnly`: streaming ends, and all audio without text is left to the fallback. Default `fail`.
   */
  readonly overflow?: OverflowPolicy;
  /** Directory from which `rxscribe resume` finishes the transcript when this process cannot; deleted at the end. */
  readonly spool?: SpoolOptions;
  /** Fallback that gets the text of audio that could not be streamed. Default: none. */
  readonly fallback?: Fallback;
  /**
   * Milliseconds for the token and the handshake; of a first connection `resume.firstConnectionSeconds` at most. Default
   * 10,000.
   */
  readonly connectTimeoutMs?: number;
  /** Milliseconds from the handshake to `connected`. Default: `maxConnectionWaitSeconds` and 10 s more. */
  readonly readyTimeoutMs?: number;
  /** Milliseconds from an answer to the next ping. Default 5000. */
  readonly pingIntervalMs?: number;
  /**
   * Milliseconds for the answer to a ping, in addition to the duration of the audio sent before it (before `connected`, 5 s
   * at most): a service that reads at real time answers after that audio. Default 10,000.
   */
  readonly pongTimeoutMs?: number;
  /**
   * Milliseconds without a message while some words are not final, although the service has read more audio than the
   * longest segment. Default 60,000.
   */
  readonly stallTimeoutMs?: number;
  /**
   * Milliseconds between two messages after `EOS`. Default 60,000: twice the longest segment, for a service that works no
   * faster than real time.
   */
  readonly finalTimeoutMs?: number;
  /** Listener on the wire, as used by `record` of `rxscribe/replay`. */
  readonly tap?: WireTap;
  /** Default: the clock of the system. */
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
