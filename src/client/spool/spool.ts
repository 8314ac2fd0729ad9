import type { PcmFormat } from '../../audio/format/format.ts';
import type { FrameRange } from '../../audio/format/frameRange.ts';
import type { StreamQuery } from '../../protocol/streamQuery.ts';
import type { LiveEvent } from '../../transcript/model/events.ts';
import type { ReplayStore } from './replayStore.ts';

/** What whoever finishes the work of a dead process has to know; the access token is not among it. */
export interface SpoolSubject {
  /** Addresses of services, without token. */
  readonly addresses: readonly string[];
  readonly query: Omit<StreamQuery, 'contentType'>;
  /** Seconds of audio beside a hole that a job is given as well. */
  readonly marginSeconds: number;
}

/** What is written down beside the audio. */
export type SpoolNote =
  /** Never a partial. */
  | { readonly type: 'event'; readonly event: LiveEvent }
  /** A job was submitted for a hole. */
  | { readonly type: 'job'; readonly hole: FrameRange; readonly jobId: string; readonly address: string }
  /** The source has ended. */
  | { readonly type: 'ended'; readonly endFrame: number };

/** A file from which a transcript can be finished when this process is no more. */
export interface Spool {
  readonly store: ReplayStore;
  /** Written when this returns, in the order of the calls, also among the audio. */
  note(note: SpoolNote): void;
  /** All is done: the file is deleted. Idempotent. */
  finish(): void;
  /** Leaves the file to whoever resumes. Idempotent; nothing after `finish`. */
  close(): void;
}

/** What a process that is no more has left, to go on with. All its audio counts as needed until it is released. */
export interface LeftSpool extends Spool {
  /** Of the file. */
  readonly path: string;
  readonly subject: SpoolSubject;
  readonly format: PcmFormat;
  /** In the order in which they were written. */
  readonly notes: readonly SpoolNote[];
  /** The audio that is there, in order. What is missing was settled and removed, dropped, or never given. */
  readonly audio: readonly FrameRange[];
}
