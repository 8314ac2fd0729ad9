import { isDeepStrictEqual } from 'node:util';
import { distinctUntilChanged, type OperatorFunction, scan } from 'rxjs';
import type { FinalEvent, PartialEvent, TranscriptEvent } from './events.ts';
import { addFinal, endOf } from './growingTranscript.ts';
import { emptyTranscript, type Transcript } from './model.ts';

/** What a session has said so far: what is certain, and what the recogniser thinks of the rest. */
export interface LiveTranscript {
  /** The session's id, once it is connected. */
  readonly id?: string;
  /** Everything final. */
  readonly transcript: Transcript;
  /** The unfinished utterance. */
  readonly tail?: PartialEvent;
}

export const emptyLiveTranscript: LiveTranscript = { transcript: emptyTranscript };

/**
 * Folds one event into what was said so far. Pure; an event that says nothing new returns the same state object.
 *
 * - A final never changes once it is there. It stands in order of time (see {@link addFinal} for finals that overlap
 *   or come late), and joins the monologue before it when the speaker is the same.
 * - A partial replaces the tail, unless it lies within what is final already.
 * - A final clears the tail, unless the tail begins after it.
 *
 * @example
 * let live = emptyLiveTranscript;
 * for (const event of events) live = mergeEvent(live, event);
 */
export function mergeEvent(state: LiveTranscript, event: TranscriptEvent): LiveTranscript {
  switch (event.type) {
    case 'connected':
      return state.id === event.id ? state : { ...state, id: event.id };
    case 'partial':
      return mergePartial(state, event);
    case 'final':
      return mergeFinal(state, event);
  }
}

/**
 * Events of a session to its transcript, emitted whenever it changes.
 *
 * @example
 * events$.pipe(mergeTranscript()).subscribe(({ transcript, tail }) => show(transcript, tail));
 */
export function mergeTranscript(): OperatorFunction<TranscriptEvent, LiveTranscript> {
  return events$ => events$.pipe(scan(mergeEvent, emptyLiveTranscript), distinctUntilChanged());
}

function mergePartial(state: LiveTranscript, partial: PartialEvent): LiveTranscript {
  if (isOver(partial, endOf(state.transcript)) || isDeepStrictEqual(state.tail, partial)) return state;
  return { ...state, tail: partial };
}

/** Whether a partial has come too late: all of it is final, up to `finalEndTs` in seconds. */
export function isOver(partial: PartialEvent, finalEndTs: number): boolean {
  return partial.ts < finalEndTs && partial.endTs <= finalEndTs;
}

function mergeFinal(state: LiveTranscript, final: FinalEvent): LiveTranscript {
  const { tail, ...rest } = state;
  const transcript = addFinal(state.transcript, final);
  const clears = tail !== undefined && tail.ts < final.endTs;
  if (transcript === state.transcript && !clears) return state;
  return { ...rest, transcript, ...(tail && !clears && { tail }) };
}
