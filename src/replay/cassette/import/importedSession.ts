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

/** The one connection of an imported log. Nobody has said where it led. */
const ADDRESS = `ws://imported.invalid${STREAM_PATH}`;

/** Puts the messages of a log between the audio that they are about. */
export class ImportedSession {
  readonly #options: ImportedSessionOptions;
  readonly #file: CassetteFile;
  /** Of the messages, the next to be told. */
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

  /** Audio, in order; then come the messages that it has the words of. @throws RxscribeError `store`, `overflow` */
  block(block: AudioBlock): void {
    this.#file.lines.checkRoom();
    if (this.#frame === 0) this.#file.startAudio(block, this.#ms, 1);
    const start = this.#frame;
    const frames = framesOf(block);
    const endMs = this.#msOf(start + frames);
    this.#tell(({ ms = 0 }) => ms < endMs);
    this.#file.audio.write(block);
    this.#ms = Math.max(this.#ms, endMs);
    this.#frame = start + frames;
    this.#file.lines.writeWhole({ type: 'block', ms: this.#ms, frame: this.#frame });
    this.#file.lines.writeWhole({ type: 'send', ...this.#place(), start, frames });
    this.#tell(({ ms = 0 }) => ms <= endMs);
    this.#file.lines.flush();
  }

  /** The rest of the messages, and the end. @throws RxscribeError `store`, `program-failed` */
  async finish(signal: AbortSignal): Promise<void> {
    const hasAudio = this.#frame > 0;
    const end = () =>
      this.#file.lines.writeWhole({ type: 'send_text', ...this.#place(), text: END_OF_STREAM });
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
    this.#file.lines.writeWhole({ type: 'close', ...this.#place(), ...close });
    const wav = this.#file.audio.finish();
    const audio = wav && (await this.#file.audio.convert(wav, signal));
    this.#file.end(this.#ms, audio);
    this.#file.check();
    this.#file.close();
    this.#file.files.publish();
  }

  /** Leaves nothing: half an import is worth less than none. */
  remove(): void {
    this.#file.close();
    this.#file.files.discard();
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
    this.#file.lines.writeWhole({ type: 'message', ...this.#place(), ...messageFields(text) });
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
