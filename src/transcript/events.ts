import type { TextElement, TranscriptElement } from './model.ts';

/** The service is ready; audio that was sent before counts. */
export interface ConnectedEvent {
  readonly type: 'connected';
  /** The session's id: afterwards the id of a job of type `stream`. */
  readonly id: string;
}

/** What the recogniser thinks of the unfinished utterance; the next partial or final replaces it. */
export interface PartialEvent {
  readonly type: 'partial';
  /** Seconds since the start of the audio. */
  readonly ts: number;
  readonly endTs: number;
  readonly elements: readonly TextElement[];
}

/** A finished utterance. It never changes. */
export interface FinalEvent {
  readonly type: 'final';
  /** Seconds since the start of the audio; ts < endTs. */
  readonly ts: number;
  readonly endTs: number;
  readonly elements: readonly TranscriptElement[];
  /** Speaker number, where the session was asked for speaker switches. Default 0. */
  readonly speaker?: number;
}

/** Everything a streaming session says. */
export type TranscriptEvent = ConnectedEvent | PartialEvent | FinalEvent;
