/** The cassette of one session through a proxy: what both sides sent, before faults of the proxy. */
import { framesOf } from '../../audio/format/format.ts';
import { createPcmReader } from '../../audio/pcm/pcmReader.ts';
import { systemClock } from '../../base/clock.ts';
import { messageOf } from '../../base/errors.ts';
import type { TappedClose } from '../../client/stream/wireTap.ts';
import type { StreamQuery } from '../../protocol/streamQuery.ts';
import { messageEvent } from '../cassette/cassetteLines.ts';
import { Secrets } from '../cassette/record/secrets.ts';
import { SessionRecorder } from '../cassette/record/sessionRecorder.ts';

export interface SessionRecordingOptions {
  readonly path: string;
  /** Address of the stream, without query. */
  readonly address: string;
  readonly query: StreamQuery | undefined;
  /** Tokens of the client, which are never written. */
  readonly tokens: readonly string[];
  /** Called when the session cannot be recorded, or no further. The session itself continues. */
  readonly onFailure: (reason: string) => void;
}

export class SessionRecording {
  readonly #onFailure: (reason: string) => void;
  /** The writer, until the end or a failure. */
  #writer: ReturnType<typeof startRecorder> | undefined;
  #ended: Promise<void> | undefined;

  /** Called after the handshake. */
  constructor(options: SessionRecordingOptions) {
    this.#onFailure = options.onFailure;
    try {
      this.#writer = startRecorder(options, error => this.#fail(error));
    } catch (error) {
      this.#fail(error);
    }
  }

  up(bytes: Buffer, isBinary: boolean): void {
    this.#write(({ recorder, tap, audio }) => {
      if (!isBinary) return tap.sent(bytes.toString());
      const block = audio.push(bytes);
      if (!block) return;
      recorder.block(block);
      tap.audio({ startFrame: block.startFrame, frames: framesOf(block), bytes });
    });
  }

  down(bytes: Buffer, isBinary: boolean): void {
    this.#write(({ recorder, tap }) => {
      if (isBinary) return tap.receivedBinary();
      const text = bytes.toString();
      tap.received(text);
      const event = messageEvent(text);
      if (event) recorder.event(event);
    });
  }

  /** Completes the cassette; that of a broken connection has no end. Idempotent. */
  end(close: TappedClose = { by: 'network', code: 1006, reason: '' }): Promise<void> {
    this.#ended ??= this.#finish(close).catch(error => this.#fail(error));
    return this.#ended;
  }

  async #finish(close: TappedClose): Promise<void> {
    this.#write(({ tap }) => tap.closed(close));
    const recorder = this.#writer?.recorder;
    this.#writer = undefined;
    if (close.by === 'network') recorder?.abandon();
    else await recorder?.finish();
  }

  #write(write: (writer: ReturnType<typeof startRecorder>) => void): void {
    try {
      if (this.#writer) write(this.#writer);
    } catch (error) {
      this.#fail(error);
    }
  }

  #fail(error: unknown): void {
    this.#writer?.recorder.abandon();
    this.#writer = undefined;
    this.#onFailure(messageOf(error));
  }
}

function startRecorder(
  { path, address, query, tokens }: SessionRecordingOptions,
  onError: (error: unknown) => void,
) {
  const type = query?.contentType;
  if (!query || type?.kind !== 'raw' || (type.layout !== 'interleaved' && type.format.channels > 1))
    throw new Error('only raw samples of a valid query can be, frame by frame.');
  const secrets = new Secrets();
  for (const token of tokens) secrets.watch(token);
  const recorder = new SessionRecorder({
    places: { path },
    sampleFormat: type.format.sampleFormat,
    clock: systemClock,
    hide: text => secrets.hide(text),
    onError,
  });
  const tap = recorder.tap.connect({ address, query, originFrame: 0 });
  tap.opened();
  return { recorder, tap, audio: createPcmReader(type.format) };
}
