import { bytesPerFrame, type PcmFormat } from '../../audio/format/format.ts';
import type { Chunk } from '../spool/replayStore.ts';
import { MAX_CHUNK_BYTES } from './audioBlocks.ts';
import type { Journal } from './journal/journal.ts';
import { Pacer } from './recovery/catchUp.ts';
import type { Connection } from './session/connection.ts';
import type { StreamSettings } from './settings.ts';

export interface AudioSenderOptions {
  readonly settings: StreamSettings;
  readonly format: PcmFormat;
  readonly journal: Journal;
  /** Returns whether the source gives audio at its own time. */
  readonly isLive: () => boolean;
  /** Called when more of a backlog may be sent. */
  readonly onTime: () => void;
}

/** Sends the audio of a journal over the current connection: new audio as it comes, a backlog at a bounded speed. */
export class AudioSender {
  readonly #journal: Journal;
  readonly #frameBytes: number;
  readonly #maxFrames: number;
  readonly #pacer: Pacer;

  constructor({ settings, format, journal, isLive, onTime }: AudioSenderOptions) {
    const { clock, catchUp } = settings;
    this.#journal = journal;
    this.#frameBytes = bytesPerFrame(format);
    this.#maxFrames = Math.floor(MAX_CHUNK_BYTES / this.#frameBytes);
    this.#pacer = new Pacer({ ...catchUp, sampleRate: format.sampleRate, clock, isLive, onTime });
  }

  /** Returns the frames of audio in the journal from a frame of the source on. */
  framesFrom(frame: number): number {
    const { gaps, headFrame } = this.#journal;
    return gaps.audioFrames(frame, headFrame);
  }

  /** Sends a chunk that was just added to the journal as it is, or all that waits when there is more. */
  sendNew(connection: Connection, chunk: Chunk | undefined): void {
    const isNext = chunk?.startFrame === connection.sentFrame;
    if (isNext && chunk.bytes.length <= connection.roomBytes && this.#pacer.passes(chunk.frames)) {
      connection.send(chunk);
    } else this.sendWaiting(connection);
  }

  /** Sends waiting audio as far as it can go out now, and ends it when that was all. */
  sendWaiting(connection: Connection): void {
    while (connection.roomBytes > 0) {
      const roomFrames = Math.max(1, Math.floor(connection.roomBytes / this.#frameBytes));
      const waiting = this.framesFrom(connection.sentFrame);
      const frames = this.#pacer.allow(waiting, Math.min(roomFrames, this.#maxFrames));
      const chunk = frames > 0 ? this.#journal.read(connection.sentFrame, frames) : undefined;
      if (!chunk) break;
      connection.send(chunk);
    }
    if (connection.isDraining && connection.sentFrame >= this.#journal.headFrame) connection.endAudio();
  }

  /** Forgets the backlog, as when its connection is gone. */
  stop(): void {
    this.#pacer.stop();
  }
}
