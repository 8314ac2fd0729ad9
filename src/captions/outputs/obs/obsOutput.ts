import { type Observable, of } from 'rxjs';
import { systemClock } from '../../../base/clock.ts';
import type { CaptionStep, RetractStep } from '../../captionStep.ts';
import type { CaptionOutput, OutputReport } from '../captionOutput.ts';
import { type ObsConnection, obsConnection, openSession } from './obsConnection.ts';
import { FollowedInput, followedState, isOnAir } from './obsFollow.ts';
import { checkObsOptions, OBS_DEFAULTS, type ObsOutputOptions } from './obsOptions.ts';
import { type ObsPart, obsNotes } from './obsPart.ts';
import type { ObsAddress } from './obsSession.ts';
import { StreamCaptions } from './streamCaptions.ts';
import { checkTextSource, TextSource } from './textSource.ts';

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
 * @example
 * import { obsOutput } from 'rxscribe/captions';
 *
 * const output = obsOutput({ url: 'ws://127.0.0.1:4455', password: process.env.OBS_PASSWORD, source: 'Captions' });
 */
export function obsOutput(options: ObsOutputOptions): ObsOutput {
  checkObsOptions(options);
  return new Output(options);
}

/**
 * Connects to OBS once and returns a sentence on the source and the stream.
 *
 * @throws RxscribeError `unreachable`, `unauthorized`, `protocol` or `timeout`; `not-found` or `invalid-argument` for a source
 * @throws InvalidArgumentError for options that {@link checkObsOptions} refuses
 * @example
 * console.log(await checkObs({ url: 'ws://127.0.0.1:4455', source: 'Captions' }));
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
    await session.end(undefined);
  }
}

function addressOf(options: ObsOutputOptions): ObsAddress {
  const { url, password, timeoutMs = OBS_DEFAULTS.timeoutMs, clock = systemClock } = options;
  return { url, password, timeoutMs, clock };
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
    if (this.#closing !== undefined) return;
    for (const part of this.#parts) part.take(step);
  }

  retract(step: RetractStep): boolean {
    return this.#parts.map(part => part.retract?.(step) ?? true).every(Boolean);
  }

  report(): OutputReport {
    const reports = this.#parts.map(part => part.report());
    const sum = (key: 'shown' | 'skipped' | 'failures') =>
      reports.reduce((total, report) => total + report[key], 0);
    return {
      shown: sum('shown'),
      skipped: sum('skipped'),
      failures: sum('failures') + this.#failures,
      failure: this.#notes.failure,
    };
  }

  close(): Promise<void> {
    const closed = () => Promise.all(this.#parts.map(part => part.close()));
    this.#closing ??= closed().then(() => this.#connection.close());
    return this.#closing;
  }
}
