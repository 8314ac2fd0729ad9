/** The cassette of one session through a proxy: what both sides sent, before faults of the proxy. */
import { framesOf } from '../../audio/format/format.ts';
import { createPcmReader } from '../../audio/pcm/pcmReader.ts';
import type { Clock } from '../../base/clock.ts';
import { messageOf } from '../../base/errors.ts';
import type { ConnectionTap, TappedClose } from '../../client/stream/wireTap.ts';
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
  readonly clock: Clock;
  /** Called when the recording has ended with a failure; the session goes on. */
  readonly onFailure: (reason: string) => void;
}

export class SessionRecording {
  readonly #recorder: SessionRecorder;
  readonly #tap: ConnectionTap;
  readonly #audio: ReturnType<typeof createPcmReader>;
  readonly #onFailure: (reason: string) => void;
  #ended: Promise<void> | undefined;
  #isWriting = true;

  /** Called after the handshake. @throws Error for a session that cannot be recorded */
  constructor({ path, address, query, tokens, clock, onFailure }: SessionRecordingOptions) {
    const type = query?.contentType;
    if (!query || type?.kind !== 'raw' || (type.layout !== 'interleaved' && type.format.channels > 1))
      throw new Error('only raw samples of a valid query can be, frame by frame.');
    const secrets = new Secrets();
    for (const token of tokens) secrets.watch(token);
    this.#onFailure = onFailure;
    this.#audio = createPcmReader(type.format);
    this.#recorder = new SessionRecorder({
      places: { path },
      sampleFormat: type.format.sampleFormat,
      clock,
      hide: text => secrets.hide(text),
      onError: error => this.#fail(error),
    });
    this.#tap = this.#recorder.tap.connect({ address, query, originFrame: 0 });
    this.#tap.opened();
  }

  up(bytes: Buffer, isBinary: boolean): void {
    this.#try(() => {
      if (!isBinary) this.#tap.sent(bytes.toString());
      const block = isBinary ? this.#audio.push(bytes) : undefined;
      if (!block) return;
      this.#recorder.block(block);
      this.#tap.audio({ startFrame: block.startFrame, frames: framesOf(block), bytes });
    });
  }

  down(bytes: Buffer, isBinary: boolean): void {
    this.#try(() => {
      if (isBinary) return this.#tap.receivedBinary();
      const text = bytes.toString();
      this.#tap.received(text);
      const event = messageEvent(text);
      if (event) this.#recorder.event(event);
    });
  }

  /** Completes the cassette; that of a broken connection has no end. Idempotent. */
  end(close: TappedClose = { by: 'network', code: 1006, reason: '' }): Promise<void> {
    this.#ended ??= this.#finish(close).catch(error => this.#fail(error));
    return this.#ended;
  }

  async #finish(close: TappedClose): Promise<void> {
    if (!this.#isWriting) return;
    this.#isWriting = false;
    this.#tap.closed(close);
    if (close.by === 'network') this.#recorder.abandon();
    else await this.#recorder.finish();
  }

  #try(write: () => void): void {
    try {
      if (this.#isWriting) write();
    } catch (error) {
      this.#fail(error);
    }
  }

  #fail(error: unknown): void {
    this.#isWriting = false;
    this.#recorder.abandon();
    this.#onFailure(messageOf(error));
  }
}
