import { type AudioBlock, framesOf, type PcmFormat } from '../../audio/format.ts';
import type { Clock } from '../../base/clock.ts';
import { CLOSE, closeReason, END_OF_STREAM } from '../../protocol/closeCodes.ts';
import { STREAM_PATH } from '../../protocol/paths.ts';
import type { StreamQuery } from '../../protocol/streamQuery.ts';
import { type CassettePlaces, requireEncoder } from './audioPlace.ts';
import { CassetteFiles } from './cassetteFiles.ts';
import { messageFields, queryFields } from './cassetteTap.ts';
import { CassetteWriter } from './cassetteWriter.ts';
import { headerLine } from './headerLine.ts';
import { KeptAudio } from './keptAudio.ts';
import type { LoggedMessage } from './messageLog.ts';

export interface ImportedSessionOptions {
  readonly messages: readonly LoggedMessage[];
  readonly format: PcmFormat;
  readonly query: Omit<StreamQuery, 'contentType'>;
  readonly places: CassettePlaces;
  readonly clock: Clock;
}

/** The one connection of an imported log. Nobody has said where it led. */
const ADDRESS = `ws://imported.invalid${STREAM_PATH}`;

/** Puts the messages of a log between the audio that they are about. */
export class ImportedSession {
  readonly #options: ImportedSessionOptions;
  readonly #files: CassetteFiles;
  readonly #audio: KeptAudio;
  readonly #writer: CassetteWriter;
  /** Of the messages, the next to be told. */
  #next = 0;
  #ms = 0;
  #frame = 0;
  /** Of lines that were written in between. */
  #failure: { readonly error: unknown } | undefined;

  /** @throws RxscribeError `store`, `program-missing` */
  constructor(options: ImportedSessionOptions) {
    const { places, clock, format } = options;
    this.#options = options;
    requireEncoder(places);
    this.#files = new CassetteFiles(places);
    this.#audio = new KeptAudio(this.#files, places, line => this.#writer.writeWhole(line));
    this.#writer = new CassetteWriter({
      ...{ file: this.#files.make(), clock, hide: text => text },
      onError: error => {
        this.#failure ??= { error };
      },
    });
    this.#writer.writeWhole(headerLine(clock, { origin: 'message log' }));
    const contentType = { kind: 'raw', layout: 'interleaved', format } as const;
    const query = queryFields({ ...options.query, contentType });
    this.#writer.writeWhole({ type: 'connect', ...this.#place(), address: ADDRESS, query });
    this.#writer.writeWhole({ type: 'opened', ...this.#place() });
  }

  /** Audio, in order; then come the messages that it has the words of. @throws RxscribeError `store`, `overflow` */
  block(block: AudioBlock): void {
    this.#writer.checkRoom();
    if (this.#frame === 0) this.#startAudio(framesOf(block));
    const start = this.#frame;
    const frames = framesOf(block);
    const endMs = this.#msOf(start + frames);
    this.#tell(({ ms = 0 }) => ms < endMs);
    this.#audio.write(block);
    this.#ms = Math.max(this.#ms, endMs);
    this.#frame = start + frames;
    this.#writer.writeWhole({ type: 'block', ms: this.#ms, frame: this.#frame });
    this.#writer.writeWhole({ type: 'send', ...this.#place(), start, frames });
    this.#tell(({ ms = 0 }) => ms <= endMs);
    this.#writer.flush();
  }

  /** The rest of the messages, and the end. @throws RxscribeError `store`, `program-failed` */
  async finish(signal: AbortSignal): Promise<void> {
    const hasAudio = this.#frame > 0;
    const end = () => this.#writer.writeWhole({ type: 'send_text', ...this.#place(), text: END_OF_STREAM });
    if (hasAudio) end();
    for (const message of this.#options.messages.slice(this.#next)) {
      // Without audio the place is that of the words.
      if (!hasAudio) this.#frame = Math.max(this.#frame, this.#frameOf(message));
      this.#message(message, hasAudio ? message.ms : (message.ms ?? this.#msOf(this.#frame)));
    }
    if (!hasAudio) end();
    const close = {
      by: 'service',
      code: CLOSE.endOfInput.code,
      reason: closeReason(CLOSE.endOfInput),
    } as const;
    this.#writer.writeWhole({ type: 'close', ...this.#place(), ...close });
    const wav = this.#audio.finish();
    const audio = wav && (await this.#audio.convert(wav, signal));
    const { frames } = this.#audio;
    this.#writer.writeWhole({ type: 'end', ms: this.#ms, frames, ...(audio && { audio }) });
    this.#writer.flush();
    if (this.#failure) throw this.#failure.error;
    this.#close();
    this.#files.publish();
  }

  /** Leaves nothing: half an import is worth less than none. */
  remove(): void {
    this.#close();
    this.#files.discard();
  }

  #close(): void {
    this.#audio.close();
    this.#writer.close();
  }

  #startAudio(blockFrames: number): void {
    const { format } = this.#options;
    const { sampleFormat: sample_format, sampleRate: sample_rate, channels } = format;
    const kept = this.#audio.start(format);
    this.#writer.writeWhole({
      ...{ type: 'audio', ms: this.#ms, format: { sample_format, sample_rate, channels } },
      ...{ block_frames: blockFrames, speed: 1, ...kept },
    });
  }

  /** The messages that are next, as long as their words were sent and their time has come. */
  #tell(isDue: (message: LoggedMessage) => boolean): void {
    const { messages } = this.#options;
    for (let message = messages[this.#next]; message; message = messages[this.#next]) {
      if (this.#frameOf(message) > this.#frame || !isDue(message)) return;
      this.#message(message, message.ms);
      this.#next++;
    }
  }

  #message({ text }: LoggedMessage, ms = 0): void {
    this.#ms = Math.max(this.#ms, ms);
    this.#writer.writeWhole({ type: 'message', ...this.#place(), ...messageFields(text) });
  }

  #place() {
    return { ms: this.#ms, connection: 0, frame: this.#frame };
  }

  /** Where its words end. */
  #frameOf({ endTs }: LoggedMessage): number {
    const { query, format } = this.#options;
    const { startTs = 0 } = query;
    return endTs === undefined ? 0 : Math.max(0, Math.round((endTs - startTs) * format.sampleRate));
  }

  /** When so much audio was spoken. */
  #msOf(frame: number): number {
    return Math.round((frame * 1e6) / this.#options.format.sampleRate) / 1000;
  }
}
