import type { HoleCause } from './coverage.ts';
import type { Monologue, TextElement, TranscriptElement } from './model.ts';

export type { HoleCause };

/** The service is ready. Audio that was sent earlier is transcribed as well. */
export interface ConnectedEvent {
  readonly type: 'connected';
  /** Id of the session, and after its end of a job of type `stream`. */
  readonly id: string;
}

/** The current hypothesis for the unfinished utterance; the next partial or final replaces it. */
export interface PartialEvent {
  readonly type: 'partial';
  /** Seconds since the start of the audio. */
  readonly ts: number;
  readonly endTs: number;
  readonly elements: readonly TextElement[];
  /** Text of the elements, as of `textOf()`; set in the events of `transcribe()` and `live()`. */
  readonly text?: string;
  /** Channel, when channels are streamed separately. Default 0. */
  readonly channel?: number;
  /** True for text that begins a paragraph, as where a person begins or ends typing it. */
  readonly opensParagraph?: boolean;
}

/** A finished utterance. It never changes. */
export interface FinalEvent {
  readonly type: 'final';
  /** Seconds since the start of the audio; ts < endTs. */
  readonly ts: number;
  readonly endTs: number;
  readonly elements: readonly TranscriptElement[];
  /** Text of the elements, as of `textOf()`; set in the events of `transcribe()` and `live()`. */
  readonly text?: string;
  /** Speaker number, when the session has `enableSpeakerSwitch`. Default 0. */
  readonly speaker?: number;
  /** Channel, when channels are streamed separately. Default 0. */
  readonly channel?: number;
  /** True for text that begins a paragraph, as where a person begins or ends typing it. */
  readonly opensParagraph?: boolean;
  /** True for a final without text by which a person takes back what they have typed since `ts`. */
  readonly takesBack?: boolean;
}

/** An event of a streaming session. */
export type TranscriptEvent = ConnectedEvent | PartialEvent | FinalEvent;

/** A span of audio without speech. */
export interface SilenceEvent {
  readonly type: 'silence';
  /** Seconds since the start of the audio; ts < endTs. */
  readonly ts: number;
  readonly endTs: number;
  /** Channel, when channels are streamed separately. Default 0. */
  readonly channel?: number;
}

/** A span of audio that was not transcribed. */
export interface HoleEvent {
  readonly type: 'hole';
  /** Seconds since the start of the audio; ts < endTs. */
  readonly ts: number;
  readonly endTs: number;
  readonly cause: HoleCause;
  /** Channel, when channels are streamed separately. Default 0. */
  readonly channel?: number;
}

/** The text of a hole, transcribed later by an asynchronous job. */
export interface RepairEvent {
  readonly type: 'repair';
  /** Span of the hole, in seconds since the start of the audio. */
  readonly ts: number;
  readonly endTs: number;
  /** Text with times of the live transcript, and its speakers as far as they could be matched. */
  readonly monologues: readonly Monologue[];
  /** Text of the monologues, each a line; set in the events of `transcribe()` and `live()`. */
  readonly text?: string;
  readonly jobId: string;
  /** Channel, when channels are streamed separately. Default 0. */
  readonly channel?: number;
}

/** An event of a live transcript: of the session, or about silence, holes and their repairs. */
export type LiveEvent = TranscriptEvent | SilenceEvent | HoleEvent | RepairEvent;

/** Values by channel number. */
export type PerChannel<T> = readonly (T | undefined)[];

/** Returns the channel of an event, by default 0. */
export const channelOf = ({ channel = 0 }: { readonly channel?: number }) => channel;

/** Sets the value of a channel. Returns the same array when the channel already has the value. */
export function withChannel<T>(values: PerChannel<T>, channel: number, value: T): PerChannel<T> {
  if (values[channel] === value) return values;
  const changed = [...values];
  changed[channel] = value;
  return changed;
}
