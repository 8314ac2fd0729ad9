import type { PcmFormat } from '../../audio/format/format.ts';
import type { FrameRange } from '../../audio/format/frameRange.ts';
import type { StreamOptions } from '../../protocol/streamQuery.ts';
import type { LiveEvent } from '../../transcript/model/events.ts';
import type { ReplayStore } from './replayStore.ts';

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

/** A file from which a later process can finish the transcript. */
export interface Spool {
  readonly store: ReplayStore;
  /** Writes a note; it is written when this returns, in the order of all calls, those for audio included. */
  note(note: SpoolNote): void;
  /** Deletes the file of a complete transcript. Idempotent. */
  finish(): void;
  /** Closes the file and leaves it for a later process. Idempotent; without effect after `finish`. */
  close(): void;
}

/** The spool of a process that has ended. All of its audio counts as needed until it is released. */
export interface AbandonedSpool extends Spool {
  /** Path of the file. */
  readonly path: string;
  readonly subject: SpoolSubject;
  readonly format: PcmFormat;
  /** In the order in which they were written. */
  readonly notes: readonly SpoolNote[];
  /** The ranges of audio in it, in order. Missing audio was settled and removed, dropped, or never given. */
  readonly audio: readonly FrameRange[];
}
