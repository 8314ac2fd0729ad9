import { type Observable, of } from 'rxjs';
import { type Clock, systemClock } from '../../../base/clock.ts';
import { InvalidArgumentError } from '../../../base/errors.ts';
import type { CaptionStep } from '../../captionStep.ts';
import type { CaptionOutput, OutputOptions, OutputReport } from '../captionOutput.ts';
import { type ObsConnection, obsConnection, openSession } from './obsConnection.ts';
import { FollowedInput, followedState, isOnAir, type ObsFollow } from './obsFollow.ts';
import { type ObsPart, obsNotes } from './obsPart.ts';
import type { ObsAddress } from './obsSession.ts';
import { StreamCaptions } from './streamCaptions.ts';
import { checkTextSource, TextSource } from './textSource.ts';

/** Options of {@link obsOutput}. */
export interface ObsOutputOptions extends OutputOptions {
  /** Address of the WebSocket server of OBS (28 or later), such as `ws://127.0.0.1:4455`. */
  readonly url: string;
  /** Password of that server. */
  readonly password?: string;
  /** Name of a text source that shows the captions, also without a stream. */
  readonly source?: string;
  /** Columns of the text source. Default 42. */
  readonly columns?: number;
  /** Rows of the text source. Default 2. */
  readonly rows?: number;
  /** Sends closed captions within the stream, in two rows of 32 columns. Default false. */
  readonly captions?: boolean;
  /** Input that decides whether there are captions. Default: there always are. */
  readonly follow?: ObsFollow;
  /** Milliseconds between requests that show whether the connection is alive. Default 10,000. */
  readonly heartbeatMs?: number;
  /** Milliseconds for a connection or an answer. Default 5000. */
  readonly timeoutMs?: number;
  /** Default `systemClock`. */
  readonly clock?: Clock;
}

/** Defaults of {@link ObsOutputOptions}. */
export const OBS_DEFAULTS = {
  columns: 42,
  rows: 2,
  captions: false,
  heartbeatMs: 10_000,
  timeoutMs: 5000,
} as const satisfies Partial<ObsOutputOptions>;

/** An output to OBS. */
export interface ObsOutput extends CaptionOutput {
  /**
   * Emits whether there are to be captions, now and at each change: true while the followed input is on air, false until OBS has
   * answered. Always true without `follow`.
   */
  readonly onAir$: Observable<boolean>;
}

/**
 * Shows captions in OBS: in a text source, as closed captions in its stream, or both. Connects, and connects again, by itself.
 *
 * Text source and closed captions are emptied by `close` and by the step `off`.
 *
 * @throws InvalidArgumentError for options that {@link checkObsOptions} refuses
 */
export function obsOutput(options: ObsOutputOptions): ObsOutput {
  checkObsOptions(options);
  return new Output(options);
}

/**
 * Checks options.
 *
 * @throws InvalidArgumentError for an address that is none, sizes that are not above 0, and an output without any use
 */
export function checkObsOptions({ url, source, captions, follow, ...sizes }: ObsOutputOptions): void {
  if (!URL.canParse(url) || !['ws:', 'wss:'].includes(new URL(url).protocol)) {
    throw new InvalidArgumentError("The address of OBS must be of the form 'ws://HOST:4455'.");
  }
  if (source === '' || follow?.input === '')
    throw new InvalidArgumentError('Sources of OBS must have a name.');
  if (source === undefined && !captions && !follow) {
    throw new InvalidArgumentError('OBS needs a text source, stream captions, or an input to follow.');
  }
  for (const name of ['columns', 'rows'] as const) {
    const size = sizes[name] ?? OBS_DEFAULTS[name];
    if (!Number.isInteger(size) || size < 1)
      throw new InvalidArgumentError(`Option '${name}' must be an integer above 0, not ${size}.`);
  }
}

/**
 * Connects to OBS once and returns a sentence on what is there.
 *
 * @throws RxscribeError `unreachable`, `unauthorized`, `protocol` or `timeout`; `not-found` or `invalid-argument` for a source
 * @throws InvalidArgumentError for options that {@link checkObsOptions} refuses
 */
export async function checkObs(options: ObsOutputOptions): Promise<string> {
  checkObsOptions(options);
  const session = await openSession(addressOf(options));
  try {
    const { obsVersion, obsWebSocketVersion } = await session.call('GetVersion');
    const found = [`OBS ${obsVersion} (obs-websocket ${obsWebSocketVersion})`];
    if (options.source !== undefined) {
      await checkTextSource(session, options.source);
      found.push(`text source '${options.source}' found`);
    }
    if (options.follow) {
      const state = await followedState(session, options.follow);
      found.push(`input '${options.follow.input}' ${isOnAir(state, options.follow) ? 'on' : 'off'} air`);
    }
    const { outputActive } = await session.call('GetStreamStatus');
    return `${[...found, outputActive ? 'streaming' : 'not streaming'].join(', ')}.`;
  } finally {
    session.end(undefined);
  }
}

function addressOf(options: ObsOutputOptions): ObsAddress {
  const { url, password, timeoutMs = OBS_DEFAULTS.timeoutMs, clock = systemClock } = options;
  return { url, ...(password !== undefined && { password }), timeoutMs, clock };
}

class Output implements ObsOutput {
  readonly name = 'obs';
  readonly onAir$: Observable<boolean>;
  readonly #parts: readonly ObsPart[];
  readonly #notes;
  readonly #connection: ObsConnection;
  #failures = 0;
  #closing: Promise<void> | undefined;

  constructor(options: ObsOutputOptions) {
    const { source, captions, follow, heartbeatMs = OBS_DEFAULTS.heartbeatMs } = options;
    const { columns = OBS_DEFAULTS.columns, rows = OBS_DEFAULTS.rows } = options;
    const address = addressOf(options);
    const notes = obsNotes(options.onNote);
    const common = { ...address, notes };
    const followed = follow && new FollowedInput(follow, notes);
    this.#notes = notes;
    this.onAir$ = followed?.onAir$ ?? of(true);
    this.#parts = [
      ...(source === undefined ? [] : [new TextSource({ ...common, source, columns, rows })]),
      ...(captions ? [new StreamCaptions(common)] : []),
      ...(followed ? [followed] : []),
    ];
    this.#connection = obsConnection({
      ...address,
      heartbeatMs,
      onConnected: session => {
        notes.works('connection');
        for (const part of this.#parts) part.connected(session);
      },
      onAlive: session => {
        for (const part of this.#parts) part.alive?.(session);
      },
      onFailed: error => {
        this.#failures++;
        for (const part of this.#parts) part.disconnected();
        notes.fails('connection', error);
      },
    });
  }

  take(step: CaptionStep): void {
    if (this.#closing) return;
    for (const part of this.#parts) part.take(step);
  }

  report(): OutputReport {
    const reports = this.#parts.map(part => part.report());
    const sum = (key: 'shown' | 'skipped' | 'failures') =>
      reports.reduce((total, report) => total + report[key], 0);
    const { failure } = this.#notes;
    return {
      shown: sum('shown'),
      skipped: sum('skipped'),
      failures: sum('failures') + this.#failures,
      ...(failure !== undefined && { failure }),
    };
  }

  close(): Promise<void> {
    this.#closing ??= this.#close();
    return this.#closing;
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close();
  }

  async #close(): Promise<void> {
    await Promise.all(this.#parts.map(part => part.close()));
    await this.#connection.close();
  }
}
