import type { AudioBlock } from '../../../audio/format/format.ts';
import { RxscribeError } from '../../../base/errors.ts';
import {
  type AudioInput,
  liveOperator,
  type StreamEvent,
  type StreamListener,
} from '../../../client/stream/liveOperator.ts';
import { LiveStream } from '../../../client/stream/liveStream.ts';
import { type StreamSettings, streamSettings } from '../../../client/stream/options.ts';
import type { Transcription } from '../../../client/stream/transcribe.ts';
import { checkRecordOptions, type RecordOptions, type RecordPlaces } from './recordOptions.ts';
import { Secrets } from './secrets.ts';
import { SessionRecorder } from './sessionRecorder.ts';

/**
 * As {@link transcribe}, and keeps the session as a cassette: what the source gave, what went over the wire in both
 * directions, and what was told of it. The result completes, or fails, when the file is whole on the disk.
 *
 * The audio stands in `talk.cassette.wav` beside `talk.cassette.jsonl` (or `.flac`; or inside); what the source left out
 * is silence there. Lines are written as they happen: of a process that dies the cassette can be read up to there.
 * Unsubscribing ends it as well, with the audio as WAV; one that fails without audio and a connection leaves no
 * file. What is overwritten stays until there is audio and a service has taken the connection; until then the new files
 * are in a directory beside it, `talk.cassette.jsonl.new-…`. A token is never written; where a
 * service says one of 8 characters or more back, `[token]` stands for it. A second subscription is a second
 * recording, which needs `overwrite`.
 *
 * Errors of the result are those of `transcribe`, and RxscribeError `store` when a file is there already or nothing more
 * can be written, as on a full disk: to record is what it is for, so it ends there; `overflow` when it is as long as a
 * cassette can be, a day of blocks of 20 ms: it is whole. `program-missing` comes before any
 * audio when FLAC is wanted without ffmpeg; `program-failed` when it fails at the end: the cassette is whole, with WAV.
 *
 * @throws InvalidArgumentError, StreamQueryError for options that cannot be used, as channels that are streamed apart
 * @example
 * const live = record({ url, token, cassette: { path: 'talk.cassette.jsonl' } });
 * await lastValueFrom(fromFile('talk.wav').pipe(resample(), chunk(), pace({ speed: 1 }), live));
 */
export function record(options: RecordOptions): Transcription {
  checkRecordOptions(options);
  const { cassette, ...rest } = options;
  const secrets = new Secrets();
  const settings = streamSettings({ ...rest, token: secrets.watch(rest.token) });
  return liveOperator(listener => new Recording({ settings, places: cassette, secrets, listener }));
}

/** Codes of errors by which a block was not taken: what came before is as good as ever. */
const REFUSALS: readonly RxscribeError['code'][] = ['invalid-argument', 'overflow'];

interface RecordingOptions {
  readonly settings: StreamSettings;
  readonly places: RecordPlaces;
  readonly secrets: Secrets;
  readonly listener: StreamListener;
}

/** The audio of one subscription, to a service and into a cassette. */
class Recording implements AudioInput {
  readonly #options: RecordingOptions;
  #recorder: SessionRecorder | undefined;
  #stream: LiveStream | undefined;
  #isClosed = false;

  constructor(options: RecordingOptions) {
    this.#options = options;
  }

  start(): void {
    const { settings, places, secrets, listener } = this.#options;
    try {
      this.#recorder = new SessionRecorder({
        ...{ places, sampleFormat: settings.sampleFormat, clock: settings.clock },
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

  #open(recorder: SessionRecorder): LiveStream {
    const settings = { ...this.#options.settings, tap: recorder.tap };
    return new LiveStream(settings, event => this.#onEvent(recorder, event));
  }

  #onEvent(recorder: SessionRecorder, event: StreamEvent): void {
    if (event.type === 'end') {
      if (!this.#isClosed) void this.#end(recorder, event.failure);
      return;
    }
    if (event.type === 'transcript') recorder.event(event.event);
    else recorder.status(event.status);
    this.#options.listener(event);
  }

  /** What ended the stream says more than what became of the file. */
  async #end(recorder: SessionRecorder, failure?: { readonly error: unknown }): Promise<void> {
    const { listener } = this.#options;
    try {
      await recorder.finish({ hasFailed: failure !== undefined });
      listener({ type: 'end', ...(failure && { failure }) });
    } catch (error) {
      listener({ type: 'end', failure: failure ?? { error } });
    }
  }

  /** What cannot be kept ends the stream; of what may not be taken the cassette is whole up to there. */
  #failToRecord(error: unknown): void {
    if (!(error instanceof RxscribeError && REFUSALS.includes(error.code))) this.#recorder?.abandon();
    this.#stream?.fail(error);
  }
}
