import type { HoleCause } from './coverage.ts';
import type { Monologue, TextElement, TranscriptElement } from './model.ts';

export type { HoleCause };

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
  /** Of audio whose channels are streamed apart. Default 0. */
  readonly channel?: number;
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
  /** Of audio whose channels are streamed apart. Default 0. */
  readonly channel?: number;
}

/** Everything a streaming session says. */
export type TranscriptEvent = ConnectedEvent | PartialEvent | FinalEvent;

/** It is known that nothing was said between two times. */
export interface SilenceEvent {
  readonly type: 'silence';
  /** Seconds since the start of the audio; ts < endTs. */
  readonly ts: number;
  readonly endTs: number;
  /** Of audio whose channels are streamed apart. Default 0. */
  readonly channel?: number;
}

/** What was said between two times is not known. */
export interface HoleEvent {
  readonly type: 'hole';
  /** Seconds since the start of the audio; ts < endTs. */
  readonly ts: number;
  readonly endTs: number;
  readonly cause: HoleCause;
  /** Of audio whose channels are streamed apart. Default 0. */
  readonly channel?: number;
}

/** What an asynchronous job heard in a hole: it takes the place of the hole. */
export interface RepairEvent {
  readonly type: 'repair';
  /** Seconds since the start of the audio: those of the hole. */
  readonly ts: number;
  readonly endTs: number;
  /** With times of the same clock, and speakers of the live transcript as far as they could be told. */
  readonly monologues: readonly Monologue[];
  readonly jobId: string;
  /** Of audio whose channels are streamed apart. Default 0. */
  readonly channel?: number;
}

/** Everything that becomes known about a live transcript, in whatever way. */
export type LiveEvent = TranscriptEvent | SilenceEvent | HoleEvent | RepairEvent;
