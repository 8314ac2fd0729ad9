import { type AudioBlock, framesOf, type PcmFormat } from '../../../audio/format/format.ts';
import type { Clock } from '../../../base/clock.ts';
import { CLOSE, closeReason, END_OF_STREAM } from '../../../protocol/closeCodes.ts';
import { STREAM_PATH } from '../../../protocol/interfaceNames.ts';
import type { StreamQuery } from '../../../protocol/streamQuery.ts';
import { messageFields, queryFields } from '../cassetteLines.ts';
import { CassetteFile } from '../record/cassetteFile.ts';
import type { CassettePlaces } from '../record/recordOptions.ts';
import type { LoggedMessage } from './messageLog.ts';

export interface ImportedSessionOptions {
  readonly messages: readonly LoggedMessage[];
  readonly format: PcmFormat;
  readonly query: Omit<StreamQuery, 'contentType'>;
  readonly places: CassettePlaces;
  readonly clock: Clock;
}

/** Address of the one connection of an imported log, whose real address is unknown. */
const ADDRESS = `ws://imported.invalid${STREAM_PATH}`;

/** Writes the messages of a log between the audio that they are about. */
export class ImportedSession {
  readonly #options: ImportedSessionOptions;
  readonly #file: CassetteFile;
  /** Index of the next message. */
  #next = 0;
  #ms = 0;
  #frame = 0;

  /** @throws RxscribeError `store`, `program-missing` */
  constructor(options: ImportedSessionOptions) {
    const { places, clock, format } = options;
    this.#options = options;
    const { sampleFormat } = format;
    this.#file = new CassetteFile({ places, clock, sampleFormat, header: { origin: 'message log' } });
    const contentType = { kind: 'raw', layout: 'interleaved', format } as const;
    const query = queryFields({ ...options.query, contentType });
    this.#file.lines.writeWhole({ type: 'connect', ...this.#place(), address: ADDRESS, query });
    this.#file.lines.writeWhole({ type: 'opened', ...this.#place() });
  }

  /** Writes a block of audio, in order, and the messages whose words it contains. */
  block(block: AudioBlock): void {
    this.#file.lines.checkRoom();
    if (this.#frame === 0) this.#file.startAudio(block, this.#ms, 1);
    const start = this.#frame;
    const frames = framesOf(block);
    const endMs = this.#msOf(start + frames);
    this.#writeDue(({ ms = 0 }) => ms < endMs);
    this.#file.audio.write(block);
    this.#ms = Math.max(this.#ms, endMs);
    this.#frame = start + frames;
    this.#file.lines.writeWhole({ type: 'block', ms: this.#ms, frame: this.#frame });
    this.#file.lines.writeWhole({ type: 'send', ...this.#place(), start, frames });
    this.#writeDue(({ ms = 0 }) => ms <= endMs);
    this.#file.lines.flush();
  }

  /** Writes the remaining messages and the end. */
  async finish(signal: AbortSignal): Promise<void> {
    const hasAudio = this.#frame > 0;
    const end = () =>
      this.#file.lines.writeWhole({ type: 'send_text', ...this.#place(), text: END_OF_STREAM });
    if (hasAudio) end();
    for (const message of this.#options.messages.slice(this.#next)) {
      // Without audio, a message is placed at its words.
      if (!hasAudio) this.#frame = Math.max(this.#frame, this.#frameOf(message));
      this.#message(message, hasAudio ? message.ms : (message.ms ?? this.#msOf(this.#frame)));
    }
    if (!hasAudio) end();
    const { code } = CLOSE.endOfInput;
    const reason = closeReason(CLOSE.endOfInput);
    this.#file.lines.writeWhole({ type: 'close', ...this.#place(), by: 'service', code, reason });
    const wav = this.#file.audio.finish();
    const audio = wav && (await this.#file.audio.convert(wav, signal));
    this.#file.end(this.#ms, audio);
    this.#file.check();
    this.#file.close();
    this.#file.files.publish();
  }

  /** Removes the files, because half an import is worse than none. */
  remove(): void {
    this.#file.close();
    this.#file.files.discard();
  }

  /** Writes the next messages, as long as their words have been sent and their time has come. */
  #writeDue(isDue: (message: LoggedMessage) => boolean): void {
    const { messages } = this.#options;
    for (let message = messages[this.#next]; message; message = messages[this.#next]) {
      if (this.#frameOf(message) > this.#frame || !isDue(message)) return;
      this.#message(message, message.ms);
      this.#next++;
    }
  }

  #message({ text }: LoggedMessage, ms = 0): void {
    this.#ms = Math.max(this.#ms, ms);
    this.#file.lines.writeWhole({ type: 'message', ...this.#place(), ...messageFields(text) });
  }

  #place() {
    return { ms: this.#ms, connection: 0, frame: this.#frame };
  }

  /** Returns the frame at which the words of a message end. */
  #frameOf({ endTs }: LoggedMessage): number {
    const { query, format } = this.#options;
    const { startTs = 0 } = query;
    return endTs === undefined ? 0 : Math.max(0, Math.round((endTs - startTs) * format.sampleRate));
  }

  /** Returns the time at which a frame was spoken, in milliseconds. */
  #msOf(frame: number): number {
    return Math.round((frame * 1e6) / this.#options.format.sampleRate) / 1000;
  }
}
