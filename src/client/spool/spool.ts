import type { PcmFormat } from '../../audio/format/format.ts';
import type { FrameRange } from '../../audio/format/frameRange.ts';
import type { StreamOptions } from '../../protocol/streamQuery.ts';
import type { LiveEvent } from '../../transcript/model/events.ts';

/** Audio as sent on the wire. */
export interface Chunk {
  /** Frames since the start of the source. */
  readonly startFrame: number;
  readonly frames: number;
  readonly bytes: Uint8Array;
}

/** A store of audio that may have to be sent again, in memory or in files. */
export interface ReplayStore {
  /** End of the audio so far, in frames since the start of the source; 0 at first. */
  readonly headFrame: number;
  /**
   * Adds audio at the end; a start after `headFrame` leaves a gap. The store copies the bytes.
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

/** The settings that a later process needs to finish the transcript; the access token is not among them. */
export interface SpoolSubject {
  /** Addresses of services, without token. */
  readonly addresses: readonly string[];
  readonly query: StreamOptions;
  /** Seconds of audio on both sides of a hole that its job gets as well. */
  readonly marginSeconds: number;
}

/** A note beside the audio. */
export type SpoolNote =
  /** Never a partial. */
  | { readonly type: 'event'; readonly event: LiveEvent }
  /** A job was submitted for a hole. */
  | {
      readonly type: 'job';
      readonly hole: FrameRange;
      readonly jobId: string;
      readonly address: string;
      /** Absent for a machine. */
      readonly transcriber?: 'human';
    }
  /** The audio from a frame on has another query. */
  | { readonly type: 'query'; readonly startFrame: number; readonly query: SpoolSubject['query'] }
  /** The source has ended. */
  | { readonly type: 'ended'; readonly endFrame: number };

/** A directory from which a later process can finish the transcript. */
export interface Spool {
  readonly store: ReplayStore;
  /** Writes a note before it returns, in the order of all calls, those for audio included. */
  note(note: SpoolNote): void;
  /** Deletes the spool of a complete transcript. Idempotent. */
  finish(): void;
  /** Closes the spool and leaves it for a later process. Idempotent; without effect after `finish`. */
  close(): void;
}

/** The spool of a process that has ended. All of its audio counts as needed until it is released. */
export interface AbandonedSpool extends Spool {
  /** Path of the directory. */
  readonly path: string;
  readonly subject: SpoolSubject;
  readonly format: PcmFormat;
  /** In the order in which they were written. */
  readonly notes: readonly SpoolNote[];
  /** The ranges of audio in it, in order. Missing audio was settled and removed, dropped, or never given. */
  readonly audio: readonly FrameRange[];
}
