import { isDeepStrictEqual } from 'node:util';
import type { AudioBlock } from '../../../audio/format/format.ts';
import { createBlockGuard } from '../../../client/stream/audioBlocks.ts';
import type { StreamStatus } from '../../../client/stream/status.ts';
import { decodeMessage } from '../../../protocol/messages.ts';
import type { LiveEvent } from '../../../transcript/model/events.ts';
import type { BlockLine, EventLine, GapLine, MessageLine, StatusLine } from '../cassette.ts';
import type { CassetteSize } from '../cassetteLimits.ts';
import { statusFields } from '../cassetteLines.ts';
import { CassetteFile, type CassetteFileOptions } from './cassetteFile.ts';
import { CassetteTap } from './cassetteTap.ts';

export interface SessionRecorderOptions extends Required<Omit<CassetteFileOptions, 'header'>> {
  /** Where it ends. Default {@link MAX_RECORDED}. */
  readonly maxSize?: CassetteSize;
}

type OpenMessage = MessageLine & { heard?: false };

/** A message that nobody has told of yet. */
interface Unheard {
  readonly line: OpenMessage;
  readonly event: LiveEvent | undefined;
}

/** One session on its way into a cassette. */
export class SessionRecorder {
  readonly tap: CassetteTap;
  readonly #options: SessionRecorderOptions;
  readonly #file: CassetteFile;
  readonly #stopped = new AbortController();
  #admit: ReturnType<typeof createBlockGuard> | undefined;
  #unheard: Unheard | undefined;
  #isRecording = true;
  #hasOpened = false;
  #isComplete = false;

  /** @throws RxscribeError `store` when a file is there or cannot be made, `program-missing` when FLAC cannot be */
  constructor(options: SessionRecorderOptions) {
    this.#options = options;
    this.#file = new CassetteFile(options);
    this.tap = new CassetteTap({
      write: line => this.#file.lines.write(line),
      onOpened: () => this.#onOpened(),
      onMessage: (line, text) => this.#onMessage(line, text),
    });
  }

  /** @throws InvalidArgumentError for a block that does not go with those before, RxscribeError `store`, `overflow` */
  block(block: AudioBlock): void {
    if (!this.#isRecording || block.samples.length === 0) return;
    this.#file.lines.checkRoom(this.#options.maxSize);
    this.#admit ??= this.#start(block);
    this.#admit(block);
    const { gap } = this.#file.audio.write(block);
    if (gap) this.#file.lines.write<GapLine>({ type: 'gap', ...gap });
    this.#file.lines.write<BlockLine>({ type: 'block', frame: this.#file.audio.frames });
    this.#publish();
  }

  event(event: LiveEvent): void {
    if (!this.#isRecording) return;
    const message = this.#unheard;
    if (!message || !this.#file.lines.isWaiting(message.line))
      this.#file.lines.write<EventLine>({ type: 'event', event });
    else if (isDeepStrictEqual(message.event, event)) {
      delete message.line.heard;
      this.#unheard = undefined;
    } else {
      // What a message tells of besides, as the silence before its words, is told first.
      const { ms } = message.line;
      this.#file.lines.writeBefore({ type: 'event', ms, event }, message.line);
    }
  }

  status(status: StreamStatus): void {
    if (this.#isRecording)
      this.#file.lines.write<StatusLine>({ type: 'status', status: statusFields(status) });
  }

  /**
   * Makes the cassette whole. When FLAC cannot be made, it is so with WAV. Of a session that failed before there was
   * anything to keep nothing is left.
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

  /** The same at once, with the audio as WAV. What cannot be written is missing then. Idempotent. */
  close(): void {
    this.#stopped.abort();
    if (!this.#isRecording) return;
    this.#isRecording = false;
    try {
      this.#file.end(this.#file.lines.ms, this.#file.audio.finish());
    } catch {
      // Nobody is there to be told; the cassette says by its missing end that it is not whole.
    } finally {
      this.#release();
    }
  }

  /** Nothing more can be kept: what is there stays, without an end. */
  abandon(): void {
    this.#isRecording = false;
    try {
      this.#file.lines.flush();
    } catch {
      // That is why it is abandoned.
    } finally {
      this.#release();
    }
  }

  async #complete(): Promise<void> {
    // What is made of the audio now is no part of the session.
    const { ms } = this.#file.lines;
    const wav = this.#file.audio.finish();
    if (this.#isInVain()) return;
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
    const admit = createBlockGuard({ sampleFormat, sampleRate, channels });
    this.#file.startAudio(block, this.#file.lines.ms, places.speed);
    return admit;
  }

  #onOpened(): void {
    this.#hasOpened = true;
    try {
      this.#publish();
    } catch (error) {
      this.#options.onError(error);
    }
  }

  /** A recording without audio, or that no service took, is not worth what was there. */
  #publish(): void {
    if (this.#hasOpened && this.#admit) this.#file.files.publish();
  }

  #onMessage(line: MessageLine, text: string): void {
    const open: OpenMessage = line;
    open.heard = false;
    this.#unheard = { line: open, event: eventOf(text) };
  }

  #release(): void {
    this.#file.close();
    if (this.#isInVain()) this.#file.files.discard();
  }

  /** Nothing came of it, or not enough to take the place of what is there. */
  #isInVain(): boolean {
    const isNothing = !this.#admit && this.tap.connections === 0;
    return this.#file.files.isStaged || (isNothing && !this.#isComplete);
  }
}

function eventOf(text: string): LiveEvent | undefined {
  try {
    return decodeMessage(text).event;
  } catch {
    return undefined;
  }
}
