import { isDeepStrictEqual } from 'node:util';
import { type AudioBlock, framesOf, type SampleFormat } from '../../audio/format.ts';
import type { Clock } from '../../base/clock.ts';
import { createBlockGuard } from '../../client/stream/blockGuard.ts';
import type { StreamStatus } from '../../client/stream/status.ts';
import { decodeMessage } from '../../protocol/messages.ts';
import type { LiveEvent } from '../../transcript/events.ts';
import { requireEncoder } from './audioPlace.ts';
import type {
  AudioLine,
  BlockLine,
  EndLine,
  EventLine,
  GapLine,
  MessageLine,
  StatusLine,
} from './cassette.ts';
import { CassetteFiles } from './cassetteFiles.ts';
import type { CassetteSize } from './cassetteLimits.ts';
import { CassetteTap } from './cassetteTap.ts';
import { CassetteWriter } from './cassetteWriter.ts';
import { headerLine } from './headerLine.ts';
import { KeptAudio } from './keptAudio.ts';
import type { RecordPlaces } from './recordOptions.ts';
import { statusFields } from './statusFields.ts';

export interface SessionRecorderOptions {
  readonly places: RecordPlaces;
  readonly sampleFormat: SampleFormat;
  readonly clock: Clock;
  /** Where it ends. Default {@link MAX_RECORDED}. */
  readonly maxSize?: CassetteSize;
  /** Takes secrets out of a text. */
  readonly hide: (text: string) => string;
  /** What was taken cannot be kept: RxscribeError `store`. */
  readonly onError: (error: unknown) => void;
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
  readonly #files: CassetteFiles;
  readonly #audio: KeptAudio;
  readonly #writer: CassetteWriter;
  readonly #stopped = new AbortController();
  #admit: ReturnType<typeof createBlockGuard> | undefined;
  #unheard: Unheard | undefined;
  #isRecording = true;
  #hasOpened = false;
  #isComplete = false;
  /** Why not all of it could be kept. */
  #failure: { readonly error: unknown } | undefined;

  /** @throws RxscribeError `store` when a file is there or cannot be made, `program-missing` when FLAC cannot be */
  constructor(options: SessionRecorderOptions) {
    const { places, clock, hide, onError } = options;
    this.#options = options;
    requireEncoder(places);
    this.#files = new CassetteFiles(places);
    this.#audio = new KeptAudio(this.#files, places, line => this.#writer.writeWhole(line));
    this.#writer = new CassetteWriter({
      ...{ file: this.#files.make(), clock, hide },
      onError: error => {
        this.#failure ??= { error };
        onError(error);
      },
    });
    this.#writer.writeWhole(headerLine(clock));
    this.tap = new CassetteTap({
      write: line => this.#writer.write(line),
      onOpened: () => this.#onOpened(),
      onMessage: (line, text) => this.#onMessage(line, text),
    });
  }

  /** @throws InvalidArgumentError for a block that does not go with those before, RxscribeError `store`, `overflow` */
  block(block: AudioBlock): void {
    if (!this.#isRecording || block.samples.length === 0) return;
    this.#writer.checkRoom(this.#options.maxSize);
    this.#admit ??= this.#start(block);
    this.#admit(block);
    const { gap } = this.#audio.write(block);
    if (gap) this.#writer.write<GapLine>({ type: 'gap', ...gap });
    this.#writer.write<BlockLine>({ type: 'block', frame: this.#audio.frames });
    this.#publish();
  }

  event(event: LiveEvent): void {
    if (!this.#isRecording) return;
    const message = this.#unheard;
    if (!message || !this.#writer.isWaiting(message.line))
      this.#writer.write<EventLine>({ type: 'event', event });
    else if (isDeepStrictEqual(message.event, event)) {
      delete message.line.heard;
      this.#unheard = undefined;
    } else {
      // What a message tells of besides, as the silence before its words, is told first.
      const { ms } = message.line;
      this.#writer.writeBefore({ type: 'event', ms, event }, message.line);
    }
  }

  status(status: StreamStatus): void {
    if (this.#isRecording) this.#writer.write<StatusLine>({ type: 'status', status: statusFields(status) });
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
        if (this.#isComplete) this.#files.publish();
        await this.#complete();
      } finally {
        this.#release();
      }
    }
    if (this.#failure) throw this.#failure.error;
  }

  /** The same at once, with the audio as WAV. What cannot be written is missing then. Idempotent. */
  close(): void {
    this.#stopped.abort();
    if (!this.#isRecording) return;
    this.#isRecording = false;
    try {
      this.#writeEnd(this.#writer.ms, this.#audio.finish());
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
      this.#writer.flush();
    } catch {
      // That is why it is abandoned.
    } finally {
      this.#release();
    }
  }

  async #complete(): Promise<void> {
    // What is made of the audio now is no part of the session.
    const { ms } = this.#writer;
    const wav = this.#audio.finish();
    if (this.#isInVain()) return;
    try {
      this.#writeEnd(ms, wav && (await this.#audio.convert(wav, this.#stopped.signal)));
    } catch (error) {
      this.#writeEnd(ms, wav);
      throw error;
    }
  }

  #start({ sampleRate, channels, ...block }: AudioBlock) {
    const { sampleFormat, places } = this.#options;
    const format = { sampleFormat, sampleRate, channels };
    const admit = createBlockGuard(format);
    const kept = this.#audio.start(format);
    this.#writer.write<AudioLine>({
      type: 'audio',
      format: { sample_format: sampleFormat, sample_rate: sampleRate, channels },
      block_frames: framesOf({ ...block, sampleRate, channels }),
      ...(places.speed !== undefined && { speed: places.speed }),
      ...kept,
    });
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
    if (this.#hasOpened && this.#admit) this.#files.publish();
  }

  #onMessage(line: MessageLine, text: string): void {
    const open: OpenMessage = line;
    open.heard = false;
    this.#unheard = { line: open, event: eventOf(text) };
  }

  #writeEnd(ms: number, audio: EndLine['audio']): void {
    this.#writer.writeWhole({ type: 'end', ms, frames: this.#audio.frames, ...(audio && { audio }) });
    this.#writer.flush();
  }

  #release(): void {
    this.#audio.close();
    this.#writer.close();
    if (this.#isInVain()) this.#files.discard();
  }

  /** Nothing came of it, or not enough to take the place of what is there. */
  #isInVain(): boolean {
    const isNothing = !this.#admit && this.tap.connections === 0;
    return this.#files.isStaged || (isNothing && !this.#isComplete);
  }
}

function eventOf(text: string): LiveEvent | undefined {
  try {
    return decodeMessage(text).event;
  } catch {
    return undefined;
  }
}
