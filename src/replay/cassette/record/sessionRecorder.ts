import { isDeepStrictEqual } from 'node:util';
import type { AudioBlock } from '../../../audio/format/format.ts';
import { createBlockChecker } from '../../../client/stream/audioBlocks.ts';
import type { StreamStatus } from '../../../client/stream/status.ts';
import type { LiveEvent } from '../../../transcript/model/events.ts';
import { withoutText } from '../../../transcript/model/eventText.ts';
import type { CassetteSize } from '../cassetteLimits.ts';
import { messageEvent, statusFields } from '../cassetteLines.ts';
import type { LineOf } from '../cassetteSchema.ts';
import { messageFault } from '../messageFault.ts';
import { CassetteFile, type CassetteFileOptions } from './cassetteFile.ts';
import { cassetteTap } from './cassetteTap.ts';

export interface SessionRecorderOptions extends Required<Omit<CassetteFileOptions, 'header'>> {
  /** Size at which the recording ends. Default {@link MAX_RECORDED}. */
  readonly maxSize?: CassetteSize;
}

/** A received message that the client has not emitted yet. */
interface PendingMessage {
  readonly line: LineOf<'message'>;
  readonly event: LiveEvent | undefined;
  /** A value that no message may have. The line must not count as emitted, because a reader would refuse it. */
  readonly fault: string | undefined;
}

/** Records one session into a cassette. */
export class SessionRecorder {
  readonly tap: ReturnType<typeof cassetteTap>;
  readonly #options: SessionRecorderOptions;
  readonly #file: CassetteFile;
  readonly #stopped = new AbortController();
  #checkBlock: ReturnType<typeof createBlockChecker> | undefined;
  #pending: PendingMessage | undefined;
  #isRecording = true;
  #hasOpened = false;
  #isComplete = false;

  /**
   * @throws RxscribeError `store` when a file exists already or cannot be made, `program-missing` when FLAC cannot be
   * encoded
   */
  constructor(options: SessionRecorderOptions) {
    this.#options = options;
    this.#file = new CassetteFile(options);
    this.tap = cassetteTap({
      write: line => this.#file.lines.write(line),
      onOpened: () => this.#onOpened(),
      onMessage: (line, text) => this.#onMessage(line, text),
    });
  }

  /**
   * Records a block.
   *
   * @throws InvalidArgumentError for a block that does not follow those before, RxscribeError `store`, `overflow`
   */
  block(block: AudioBlock): void {
    if (!this.#isRecording || block.samples.length === 0) return;
    this.#file.lines.checkRoom(this.#options.maxSize);
    this.#checkBlock ??= this.#start(block);
    this.#checkBlock(block);
    const { gap } = this.#file.audio.write(block);
    if (gap) this.#file.lines.write<LineOf<'gap'>>({ type: 'gap', ...gap });
    this.#file.lines.write<LineOf<'block'>>({ type: 'block', frame: this.#file.audio.frames });
    this.#publish();
  }

  event(spoken: LiveEvent): void {
    if (!this.#isRecording) return;
    const event = withoutText(spoken);
    const message = this.#pending;
    if (!message || !this.#file.lines.isWaiting(message.line))
      this.#file.lines.write<LineOf<'event'>>({ type: 'event', event });
    else if (isDeepStrictEqual(message.event, event) && !message.fault) {
      delete message.line.heard;
      this.#pending = undefined;
    } else {
      // An additional event of a message, such as the silence before its words, precedes the message.
      const { ms } = message.line;
      this.#file.lines.writeBefore({ type: 'event', ms, event }, message.line);
    }
  }

  status(status: StreamStatus): void {
    if (this.#isRecording)
      this.#file.lines.write<LineOf<'status'>>({ type: 'status', status: statusFields(status) });
  }

  /**
   * Completes the cassette. If FLAC cannot be encoded, it has WAV. A session that failed before there was anything to
   * keep leaves no file.
   *
   * @throws RxscribeError `store` or `program-failed`
   */
  async finish({ hasFailed = false } = {}): Promise<void> {
    if (this.#isRecording) {
      this.#isRecording = false;
      try {
        this.#isComplete = !hasFailed;
        await this.#complete();
      } finally {
        this.#release();
      }
    }
    this.#file.check();
  }

  /**
   * Completes the cassette immediately, with the audio as WAV. Lines that cannot be written are missing then.
   * Idempotent.
   */
  close(): void {
    this.#stopped.abort();
    if (!this.#isRecording) return;
    this.#isRecording = false;
    try {
      this.#file.end(this.#file.lines.ms, this.#file.audio.finish());
    } catch {
      // No caller is left for the error; the missing end line shows that the cassette is incomplete.
    } finally {
      this.#release();
    }
  }

  /** Ends the recording after a failure to write: the files stay, without an end line. */
  abandon(): void {
    this.#isRecording = false;
    try {
      this.#file.lines.flush();
    } catch {
      // The failure to write is the reason for abandoning.
    } finally {
      this.#release();
    }
  }

  async #complete(): Promise<void> {
    // The time of encoding is not part of the session.
    const { ms } = this.#file.lines;
    const wav = this.#file.audio.finish();
    if (this.#isEmpty()) return;
    try {
      this.#file.end(ms, wav && (await this.#file.audio.convert(wav, this.#stopped.signal)));
    } catch (error) {
      this.#file.end(ms, wav);
      throw error;
    }
  }

  #start(block: AudioBlock) {
    const { sampleFormat, places } = this.#options;
    const { sampleRate, channels } = block;
    const check = createBlockChecker({ sampleFormat, sampleRate, channels });
    this.#file.startAudio(block, this.#file.lines.ms, places.speed);
    return check;
  }

  #onOpened(): void {
    this.#hasOpened = true;
    try {
      this.#publish();
    } catch (error) {
      this.#options.onError(error);
    }
  }

  /** Replaces the old cassette, once there is audio and a service has accepted the connection. */
  #publish(): void {
    if (this.#hasOpened && this.#checkBlock) this.#file.files.publish();
  }

  #onMessage(line: LineOf<'message'>, text: string): void {
    line.heard = false;
    this.#pending = { line, event: messageEvent(text), fault: messageFault(text) };
  }

  #release(): void {
    this.#file.close();
    if (this.#isEmpty()) this.#file.files.discard();
  }

  /** Returns whether the recording has no content, or too little to replace the old cassette. */
  #isEmpty(): boolean {
    const isNothing = !this.#checkBlock && this.tap.connections === 0;
    return this.#file.files.isStaged || (isNothing && !this.#isComplete);
  }
}
