import type { FrameRange } from '../../audio/format/frameRange.ts';

/** Audio as it goes on the wire. */
export interface Chunk {
  /** Frames since the start of the source. */
  readonly startFrame: number;
  readonly frames: number;
  readonly bytes: Uint8Array;
}

/** A store of audio that may have to be sent again: the newest in memory, the rest in a file. */
export interface ReplayStore {
  /** End of the audio so far, in frames since the start of the source; 0 at first. */
  readonly headFrame: number;
  /** Bytes of audio in memory. */
  readonly memoryBytes: number;
  /** Bytes of the file. */
  readonly fileBytes: number;
  /**
   * Adds audio at the end; a start behind `headFrame` leaves a gap. The store copies the bytes.
   *
   * @throws RxscribeError `store` when the file cannot be written or has no room left
   */
  append(chunk: Chunk): void;
  /**
   * Returns the first audio from a frame on. It begins later when there is a gap, and ends where the next gap begins,
   * after `maxFrames` at the latest. Undefined when there is no audio.
   *
   * @throws RxscribeError `store` when the file cannot be read
   */
  read(frame: number, maxFrames: number): Chunk | undefined;
  /** Releases the audio before a frame, except ranges that are kept. */
  release(beforeFrame: number): void;
  /** Keeps a range, which may reach beyond the head, until it is let go. */
  keep(range: FrameRange): void;
  letGo(range: FrameRange): void;
  /** Frees memory and file. Idempotent. */
  close(): void;
}
