import type { FrameRange } from '../../audio/format/frameRange.ts';
import type { Chunk } from './chunk.ts';

/** Audio that may have to be sent again, by the frame: some in memory, the rest in a file. */
export interface ReplayStore {
  /** Where the audio so far ends, in frames since the start of the source; 0 at first. */
  readonly headFrame: number;
  /** Bytes of audio in memory. */
  readonly memoryBytes: number;
  /** Bytes of the file. */
  readonly fileBytes: number;
  /**
   * Adds audio at the end; a start behind `headFrame` leaves a gap. The bytes are the store's from now on.
   *
   * @throws RxscribeError `store` when the file cannot be written or has no room left
   */
  append(chunk: Chunk): void;
  /**
   * The first audio from a frame on: it begins later where there is a gap, and ends where the next one begins, after
   * `maxFrames` at the latest. Undefined when there is none.
   *
   * @throws RxscribeError `store` when the file cannot be read
   */
  read(frame: number, maxFrames: number): Chunk | undefined;
  /** What lies before a frame is needed no more, unless it is kept. */
  release(beforeFrame: number): void;
  /** A range, which may reach beyond the head, is needed until it is let go. */
  keep(range: FrameRange): void;
  letGo(range: FrameRange): void;
  /** Gives back memory and file. Idempotent. */
  close(): void;
}
