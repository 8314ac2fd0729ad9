import type { AudioBlock, PcmFormat } from '../../audio/format/format.ts';
import type { FrameRange } from '../../audio/format/frameRange.ts';
import { publicAddress } from '../serviceAccess.ts';
import type { Chunk, ReplayStore, Spool, SpoolNote } from '../spool/spool.ts';
import { createBlockEncoder } from './audioBlocks.ts';
import { MARGIN_SECONDS } from './fallback.ts';
import type { StreamOutput } from './liveOperator.ts';
import { NO_SOUND, type SoundMap, soundFrames, withBlock, withoutSound } from './recovery/soundMap.ts';
import type { StreamSettings } from './settings.ts';

export interface JournalOptions {
  readonly settings: StreamSettings;
  readonly format: PcmFormat;
  /** Called when something cannot be written or read. */
  readonly onError: (error: unknown) => void;
}

/** The record of one stream: audio until it is final, silence or a hole, and notes for a process that has to resume. */
export class Journal {
  readonly store: ReplayStore;
  readonly #options: JournalOptions;
  readonly #spool: Spool | undefined;
  readonly #encode: (block: AudioBlock) => Chunk;
  readonly #marginFrames: number;
  /** The audio that may be speech, measured only for a stream with a standby. */
  #sounds: SoundMap = NO_SOUND;

  constructor(options: JournalOptions) {
    const { settings, format } = options;
    const { memorySeconds, fallback, spool } = settings;
    this.#options = options;
    this.#encode = createBlockEncoder(format);
    // A process that resumes from a spool repairs as well.
    const marginSeconds = fallback?.marginSeconds ?? (spool ? MARGIN_SECONDS : 0);
    this.#spool = spoolOf(settings, format, marginSeconds);
    this.store = this.#spool?.store ?? settings.platform.createReplayStore({ format, memorySeconds });
    this.#marginFrames = marginSeconds * format.sampleRate;
  }

  /** End of the audio so far, in frames of the source. */
  get headFrame(): number {
    return this.store.headFrame;
  }

  /**
   * Adds a block, and returns it as it goes on the wire. The bytes are only valid until the next call.
   *
   * @throws RxscribeError `store` when the audio cannot be kept
   */
  append(block: AudioBlock): Chunk {
    const chunk = this.#encode(block);
    this.store.append(chunk);
    if (this.#options.settings.standby) this.#sounds = withBlock(this.#sounds, block);
    return chunk;
  }

  /** Returns the frames of sound in a range of audio that is not settled. */
  soundFrames(fromFrame: number, toFrame: number): number {
    return soundFrames(this.#sounds, fromFrame, toFrame);
  }

  /** Returns the first audio from a frame on, or undefined when there is none or it cannot be read. */
  read(frame: number, maxFrames: number): Chunk | undefined {
    return this.#safely(() => this.store.read(frame, maxFrames));
  }

  /** Notes that everything before a frame is final, silence or given up. */
  settle(frame: number): void {
    this.#sounds = withoutSound(this.#sounds, frame);
    this.release(frame);
  }

  /** Releases the audio before a frame, except what a repair may need. */
  release(frame: number): void {
    this.#safely(() => this.store.release(Math.max(0, Math.floor(frame - this.#marginFrames))));
  }

  /** Keeps a range of audio until it is let go, whatever is released. */
  keep(range: FrameRange): void {
    this.#safely(() => this.store.keep(range));
  }

  /** Writes down the events that a later process needs. Partials are gone with their connection. */
  record(event: StreamOutput): void {
    if (event.type !== 'transcript') return;
    const { type } = event.event;
    if (type !== 'partial' && type !== 'connected') this.note({ type: 'event', event: event.event });
  }

  note(note: SpoolNote): void {
    this.#safely(() => this.#spool?.note(note));
  }

  /** Closes a complete record: its spool is deleted, unless it is to be kept. Returns what went wrong. */
  finish(): { readonly error: unknown } | undefined {
    this.store.close();
    try {
      if (this.#options.settings.spool?.keep) this.#spool?.close();
      else this.#spool?.finish();
      return undefined;
    } catch (error) {
      return { error };
    }
  }

  /** Closes the record, and leaves its spool for a later process. Idempotent; no effect after `finish`. */
  close(): void {
    this.store.close();
    this.#spool?.close();
  }

  #safely<T>(action: () => T): T | undefined {
    try {
      return action();
    } catch (error) {
      this.#options.onError(error);
      return undefined;
    }
  }
}

function spoolOf(settings: StreamSettings, format: PcmFormat, marginSeconds: number): Spool | undefined {
  const { spool, addresses, query } = settings;
  if (!spool) return undefined;
  const { path, serviceEndsWithProcess } = spool;
  const subject = {
    addresses: serviceEndsWithProcess ? [] : addresses.map(publicAddress),
    query,
    marginSeconds,
  };
  return settings.platform.openSpool({ path, format, subject });
}
