/** The cassette of one session through a proxy: what both sides sent, before faults of the proxy. */
import { framesOf, type PcmFormat } from '../../audio/format/format.ts';
import { createPcmReader } from '../../audio/pcm/pcmReader.ts';
import type { Clock } from '../../base/clock.ts';
import { messageOf } from '../../base/errors.ts';
import type { ConnectionTap, TappedClose } from '../../client/stream/wireTap.ts';
import type { StreamQuery } from '../../protocol/streamQuery.ts';
import { messageEvent } from '../cassette/cassetteLines.ts';
import { Secrets } from '../cassette/record/secrets.ts';
import { SessionRecorder } from '../cassette/record/sessionRecorder.ts';
import { OPCODE, type ScannedMessage } from './frameScanner.ts';

export interface SessionRecordingOptions {
  readonly path: string;
  /** Address of the stream, without query. */
  readonly address: string;
  readonly query: StreamQuery;
  readonly format: PcmFormat;
  /** Tokens of the client, which are never written. */
  readonly tokens: readonly string[];
  readonly clock: Clock;
  /** Called when the recording has ended with a failure; the session goes on. */
  readonly onFailure: (message: string) => void;
}

export class SessionRecording {
  readonly #recorder: SessionRecorder;
  readonly #tap: ConnectionTap;
  readonly #audio: ReturnType<typeof createPcmReader>;
  readonly #onFailure: (message: string) => void;
  #close: TappedClose | undefined;
  #ended: Promise<void> | undefined;
  #isWriting = true;

  /** Called after the handshake. @throws RxscribeError `store` */
  constructor({ path, address, query, format, tokens, clock, onFailure }: SessionRecordingOptions) {
    const secrets = new Secrets();
    for (const token of tokens) secrets.watch(token);
    this.#onFailure = onFailure;
    this.#audio = createPcmReader(format);
    this.#recorder = new SessionRecorder({
      places: { path },
      sampleFormat: format.sampleFormat,
      clock,
      hide: text => secrets.hide(text),
      onError: error => this.#fail(error),
    });
    this.#tap = this.#recorder.tap.connect({ address, query, originFrame: 0 });
    this.#tap.opened();
  }

  up({ opcode, payload }: ScannedMessage): void {
    this.#try(() => {
      if (opcode === OPCODE.text) this.#tap.sent(payload.toString());
      if (opcode === OPCODE.close) this.#close ??= { by: 'client', ...closeOf(payload) };
      const block = opcode === OPCODE.binary ? this.#audio.push(payload) : undefined;
      if (!block) return;
      this.#recorder.block(block);
      this.#tap.audio({ startFrame: block.startFrame, frames: framesOf(block), bytes: payload });
    });
  }

  down({ opcode, payload }: ScannedMessage): void {
    this.#try(() => {
      if (opcode === OPCODE.binary) this.#tap.receivedBinary();
      if (opcode === OPCODE.close) this.#close ??= { by: 'service', ...closeOf(payload) };
      if (opcode !== OPCODE.text) return;
      const text = payload.toString();
      this.#tap.received(text);
      const event = messageEvent(text);
      if (event) this.#recorder.event(event);
    });
  }

  /** Completes the cassette; that of a session without a close frame has no end. Idempotent. */
  end(): Promise<void> {
    this.#ended ??= this.#finish().catch(error => this.#fail(error));
    return this.#ended;
  }

  async #finish(): Promise<void> {
    if (!this.#isWriting) return;
    this.#isWriting = false;
    this.#tap.closed(this.#close ?? { by: 'network', code: 1006, reason: '' });
    if (this.#close) await this.#recorder.finish();
    else this.#recorder.abandon();
  }

  #try(write: () => void): void {
    if (!this.#isWriting) return;
    try {
      write();
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

/** Returns code and reason of a close frame; 1005 stands for no code (RFC 6455, section 7.4.1). */
function closeOf(payload: Buffer): Pick<TappedClose, 'code' | 'reason'> {
  if (payload.length < 2) return { code: 1005, reason: '' };
  return { code: payload.readUInt16BE(), reason: payload.toString('utf8', 2) };
}
