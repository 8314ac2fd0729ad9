import type { AudioBlock } from '../../../audio/format/format.ts';
import { RxscribeError } from '../../../base/errors.ts';
import {
  type AudioInput,
  liveOperator,
  type StreamListener,
  type StreamOutput,
  type Transcription,
} from '../../../client/stream/liveOperator.ts';
import { openStream } from '../../../client/stream/openStream.ts';
import { type StreamSettings, streamSettings } from '../../../client/stream/settings.ts';
import { nodePlatform } from '../../../client/stream/transcribe.ts';
import type { Gate } from '../../../flow/gate.ts';
import { checkRecordOptions, type RecordOptions, type RecordPlaces } from './recordOptions.ts';
import { Secrets } from './secrets.ts';
import { SessionRecorder } from './sessionRecorder.ts';

/**
 * Transcribes like {@link transcribe} and records the session as a cassette: the audio of the source, everything on the
 * wire in both directions, and the emitted events. The result completes, or fails, when the file is complete on the
 * disk.
 *
 * The audio is in `talk.cassette.wav` beside `talk.cassette.jsonl` (or `.flac`; or embedded); gaps of the source are
 * silent there. Lines are written as they happen, so the cassette of a process that dies can be read up to that point.
 * Unsubscribing also ends the recording, with the audio as WAV; a recording without audio and without a connection
 * leaves no file. An overwritten cassette stays until there is audio and a service has accepted the connection; until
 * then the new files are in a directory beside it, `talk.cassette.jsonl.new-…`. A token is never written; if a service
 * returns one of 8 characters or more, `[token]` replaces it. A second subscription is a second recording, which needs
 * `overwrite`.
 *
 * Errors of the result are those of `transcribe` and RxscribeError: `store` when a file exists already or cannot be
 * written, as on a full disk, which ends the stream; `overflow` when the cassette has reached its limit, a day of
 * blocks of 20 ms, and is complete; `program-missing` before any audio when FLAC is requested without ffmpeg;
 * `program-failed` when ffmpeg fails at the end, and the cassette is complete with WAV.
 *
 * @throws InvalidArgumentError, StreamQueryError for options that cannot be used, such as channels in separate streams
 * @example
 * const live = record({ url, token, cassette: { path: 'talk.cassette.jsonl' } });
 * await lastValueFrom(fromFile('talk.wav').pipe(resample(), chunk(), pace({ speed: 1 }), live));
 */
export function record(options: RecordOptions): Transcription {
  checkRecordOptions(options);
  const { cassette, standby, ...rest } = options;
  const secrets = new Secrets();
  const hidden = {
    ...rest,
    token: secrets.watch(rest.token),
    standby: standby && { ...standby, token: secrets.watch(standby.token) },
  };
  const settings = streamSettings(hidden, nodePlatform);
  return liveOperator(
    (listener, gate) => new Recording({ settings, places: cassette, secrets, listener, gate }),
    options.signal,
  );
}

/** Codes of errors that refuse a block; the cassette is complete up to there. */
const REFUSALS: readonly RxscribeError['code'][] = ['invalid-argument', 'overflow'];

interface RecordingOptions {
  readonly settings: StreamSettings;
  readonly places: RecordPlaces;
  readonly secrets: Secrets;
  readonly listener: StreamListener;
  readonly gate: Gate;
}

/** The audio of one subscription, sent to a service and written to a cassette. */
class Recording implements AudioInput {
  readonly #options: RecordingOptions;
  #recorder: SessionRecorder | undefined;
  #stream: AudioInput | undefined;
  #isClosed = false;

  constructor(options: RecordingOptions) {
    this.#options = options;
  }

  start(): void {
    const { settings, places, secrets, listener } = this.#options;
    try {
      this.#recorder = new SessionRecorder({
        places,
        sampleFormat: settings.sampleFormat,
        clock: settings.clock,
        hide: text => secrets.hide(text),
        onError: error => this.#failToRecord(error),
      });
    } catch (error) {
      listener({ type: 'status', status: { type: 'failed', error } });
      listener({ type: 'end', failure: { error } });
      return;
    }
    this.#stream = this.#open(this.#recorder);
    this.#stream.start();
  }

  write(block: AudioBlock): void {
    try {
      this.#recorder?.block(block);
    } catch (error) {
      this.#failToRecord(error);
    }
    this.#stream?.write(block);
  }

  finish(): void {
    this.#stream?.finish();
  }

  fail(error: unknown): void {
    this.#stream?.fail(error);
  }

  close(): void {
    this.#isClosed = true;
    this.#stream?.close();
    this.#recorder?.close();
  }

  #open(recorder: SessionRecorder): AudioInput {
    const settings = { ...this.#options.settings, tap: recorder.tap };
    return openStream(settings, event => this.#onEvent(recorder, event), this.#options.gate);
  }

  #onEvent(recorder: SessionRecorder, event: StreamOutput): void {
    if (event.type === 'end') {
      if (!this.#isClosed) void this.#end(recorder, event.failure);
      return;
    }
    if (event.type === 'transcript') recorder.event(event.event);
    else recorder.status(event.status);
    this.#options.listener(event);
  }

  /** Ends the recording. The failure of the stream takes precedence over that of the file. */
  async #end(recorder: SessionRecorder, failure?: { readonly error: unknown }): Promise<void> {
    const { listener } = this.#options;
    try {
      await recorder.finish({ hasFailed: failure !== undefined });
      listener({ type: 'end', failure });
    } catch (error) {
      listener({ type: 'end', failure: failure ?? { error } });
    }
  }

  /**
   * Ends the stream after a block that could not be recorded. If the block was refused, the cassette is complete up to
   * there.
   */
  #failToRecord(error: unknown): void {
    if (!(error instanceof RxscribeError && REFUSALS.includes(error.code))) this.#recorder?.abandon();
    this.#stream?.fail(error);
  }
}
