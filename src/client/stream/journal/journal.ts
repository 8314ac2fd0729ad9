import type { AudioBlock, PcmFormat } from '../../../audio/format/format.ts';
import type { FrameRange } from '../../../audio/format/frameRange.ts';
import type { HoleEvent } from '../../../transcript/model/events.ts';
import { publicAddress } from '../../serviceAccess.ts';
import { createReplayStore } from '../../spool/createReplayStore.ts';
import { openSpool } from '../../spool/openSpool.ts';
import type { Chunk, ReplayStore } from '../../spool/replayStore.ts';
import type { Spool, SpoolNote } from '../../spool/spool.ts';
import { createBlockChecker, createBlockEncoder } from '../audioBlocks.ts';
import { type Hole, MARGIN_SECONDS, type QuerySpan, type StreamHoleCause } from '../fallback.ts';
import type { StreamOutput } from '../liveOperator.ts';
import { SoundMap } from '../recovery/soundMap.ts';
import { SourceGaps } from '../recovery/sourceGaps.ts';
import type { StreamSettings } from '../settings.ts';
import { Holes } from './holes.ts';

/** Seconds of unstreamed audio that become one hole, so that its text comes early and less audio is kept. */
const MAX_HOLE_SECONDS = 3600;

export interface JournalOptions {
  readonly settings: StreamSettings;
  readonly format: PcmFormat;
  /** Called for each hole that becomes known, gaps of the source included. */
  readonly onHole: (event: HoleEvent, range: FrameRange) => void;
  /** Called when all audio of a hole, margins included, is in the store. */
  readonly onWhole: (hole: Hole) => void;
  /** Called when something cannot be written or read. */
  readonly onError: (error: unknown) => void;
}

/** The record of one stream: audio until it is final, silence or a hole, and notes for a process that has to resume. */
export class Journal {
  readonly gaps = new SourceGaps();
  readonly store: ReplayStore;
  /** The audio that may be speech, measured only for a stream with a standby. */
  readonly #sounds: SoundMap | undefined;
  readonly #options: JournalOptions;
  readonly #spool: Spool | undefined;
  readonly #checkedParts: (block: AudioBlock) => readonly AudioBlock[];
  readonly #encode: (block: AudioBlock) => Chunk;
  readonly #holes: Holes;
  readonly #marginFrames: number;
  /** Audio from a frame on that is not streamed: it becomes one hole after the other. */
  #unstreamed: { readonly startFrame: number; readonly cause: StreamHoleCause } | undefined;

  constructor(options: JournalOptions) {
    const { settings, format, onHole, onWhole } = options;
    const { fallback, memorySeconds, query } = settings;
    this.#options = options;
    this.#checkedParts = createBlockChecker(format);
    this.#encode = createBlockEncoder(format);
    this.#sounds = settings.standby && new SoundMap();
    this.#spool = spoolOf(settings, format);
    this.store = this.#spool?.store ?? createReplayStore({ format, memorySeconds });
    // A process that resumes from a spool repairs as well.
    const marginSeconds = fallback?.marginSeconds ?? (this.#spool ? MARGIN_SECONDS : 0);
    this.#marginFrames = marginSeconds * format.sampleRate;
    this.#holes = new Holes({
      store: this.store,
      gaps: this.gaps,
      sampleRate: format.sampleRate,
      query,
      fallback,
      onHole,
      onWhole,
    });
  }

  /** End of the audio so far, in frames of the source. */
  get headFrame(): number {
    return this.store.headFrame;
  }

  /**
   * Adds a block, and returns it as it goes on the wire, unless it is too long for one chunk. The bytes are only valid
   * until the next call.
   *
   * @throws InvalidArgumentError for a block that does not fit those before
   * @throws RxscribeError `store` when the audio cannot be kept
   */
  append(block: AudioBlock): Chunk | undefined {
    const chunks = this.#checkedParts(block).map(part => this.#appendPart(part));
    this.#holes.headAt(this.headFrame);
    if (this.#unstreamed) {
      const frames = this.headFrame - this.#unstreamed.startFrame;
      if (frames >= MAX_HOLE_SECONDS * this.#options.format.sampleRate) this.addUnstreamed();
    }
    return chunks.length === 1 ? chunks[0] : undefined;
  }

  /** Returns the frames of sound in a range of audio that is not settled. */
  soundFrames(fromFrame: number, toFrame: number): number {
    return this.#sounds?.frames(fromFrame, toFrame) ?? 0;
  }

  /** Returns the first audio from a frame on, or undefined when there is none or it cannot be read. */
  read(frame: number, maxFrames: number): Chunk | undefined {
    return this.#safely(() => this.store.read(frame, maxFrames));
  }

  /** Notes that everything before a frame is final, silence or given up. */
  settle(frame: number): void {
    this.#sounds?.release(frame);
    this.#holes.settled(frame);
    this.release(frame);
  }

  /** Releases the audio before a frame, except what a repair may need. */
  release(frame: number): void {
    this.#safely(() => this.store.release(Math.max(0, Math.floor(frame - this.#marginFrames))));
  }

  /** Sets the query of the audio from a frame on. */
  setQuery(span: QuerySpan): void {
    this.#holes.setQuery(span);
    this.note({ type: 'query', ...span });
  }

  /** Makes a hole of a range, except where there is one already. */
  addHole(range: FrameRange, cause: StreamHoleCause): void {
    this.#holes.add(range, cause);
  }

  /** Makes holes of all audio from a frame on: nothing is streamed any more. */
  leaveUnstreamed(startFrame: number, cause: StreamHoleCause): void {
    this.#unstreamed = { startFrame, cause };
  }

  /** Makes a hole of the unstreamed audio so far. */
  addUnstreamed(): void {
    if (!this.#unstreamed) return;
    const { startFrame, cause } = this.#unstreamed;
    const endFrame = this.headFrame;
    this.#unstreamed = { startFrame: endFrame, cause };
    if (startFrame < endFrame) this.#holes.add({ startFrame, endFrame }, cause);
    this.#holes.settled(endFrame);
  }

  /** Ends the audio: holes that wait for the audio behind them wait no longer. */
  endAudio(): void {
    this.addUnstreamed();
    this.#holes.end();
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

  #appendPart(part: AudioBlock): Chunk {
    const gap = { startFrame: this.headFrame, endFrame: part.startFrame };
    const chunk = this.#encode(part);
    this.store.append(chunk);
    this.#sounds?.add(part);
    if (gap.startFrame < gap.endFrame) this.#holes.addGap(gap);
    return chunk;
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

function spoolOf(settings: StreamSettings, format: PcmFormat): Spool | undefined {
  const { spool, addresses, query, fallback, memorySeconds } = settings;
  if (!spool) return undefined;
  const { path, key, serviceEndsWithProcess } = spool;
  const subject = {
    addresses: serviceEndsWithProcess ? [] : addresses.map(publicAddress),
    query,
    marginSeconds: fallback?.marginSeconds ?? MARGIN_SECONDS,
  };
  return openSpool({ path, key, format, subject, memorySeconds });
}
