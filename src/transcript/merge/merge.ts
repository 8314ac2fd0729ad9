import { isDeepStrictEqual } from 'node:util';
import { distinctUntilChanged, type OperatorFunction, scan } from 'rxjs';
import type { HoleEvent, LiveEvent, PartialEvent, SilenceEvent } from '../model/events.ts';
import { emptyTranscript, type Transcript } from '../model/model.ts';
import { channelOf } from '../model/perChannel.ts';
import type { SettledEvent } from './coverEvent.ts';
import { addSettled, endOf } from './growingTranscript.ts';

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
 * - A final never changes once it is there. It stands in order of time (see {@link addSettled} for finals that overlap
 *   or come late), and joins the monologue before it when the speaker is the same.
 * - What a repair heard stands among the finals at its time.
 * - `transcript.coverage` says which audio has text, is silent, or was not heard.
 * - A partial replaces the tail, unless it lies within what is final already.
 * - A final clears the tail of its channel, unless the tail begins after it; so do silence and holes over all of it.
 *
 * @example
 * let live = emptyLiveTranscript;
 * for (const event of events) live = mergeEvent(live, event);
 */
export function mergeEvent(state: LiveTranscript, event: LiveEvent): LiveTranscript {
  switch (event.type) {
    case 'connected':
      return state.id === event.id ? state : { ...state, id: event.id };
    case 'partial':
      return mergePartial(state, event);
    default:
      return mergeSettled(state, event);
  }
}

/**
 * Events of a session to its transcript, emitted whenever it changes.
 *
 * @example
 * events$.pipe(mergeTranscript()).subscribe(({ transcript, tail }) => show(transcript, tail));
 */
export function mergeTranscript(): OperatorFunction<LiveEvent, LiveTranscript> {
  return events$ => events$.pipe(scan(mergeEvent, emptyLiveTranscript), distinctUntilChanged());
}

function mergePartial(state: LiveTranscript, partial: PartialEvent): LiveTranscript {
  if (isOver(partial, endOf(state.transcript, partial.channel)) || isDeepStrictEqual(state.tail, partial))
    return state;
  return { ...state, tail: partial };
}

/** Whether a partial has come too late: all of it is final, up to `finalEndTs` in seconds of its channel. */
export function isOver(partial: PartialEvent, finalEndTs: number): boolean {
  return partial.ts < finalEndTs && partial.endTs <= finalEndTs;
}

/** Services round times to hundredths of a second; holes end at any frame. */
const ROUNDING_SECONDS = 0.01;

/**
 * Whether an utterance will have no final: silence, or a hole, lies over all of it. What ends within it is no end of it:
 * the first final tells that there was silence before it, where the partials began a little earlier.
 */
export function liesWithin(partial: PartialEvent, event: SilenceEvent | HoleEvent): boolean {
  const begins = partial.ts >= event.ts && partial.ts < event.endTs;
  return channelOf(event) === channelOf(partial) && begins && partial.endTs <= event.endTs + ROUNDING_SECONDS;
}

function mergeSettled(state: LiveTranscript, event: SettledEvent): LiveTranscript {
  const { tail, ...rest } = state;
  const transcript = addSettled(state.transcript, event);
  const clears = tail !== undefined && settles(event, tail);
  if (transcript === state.transcript && !clears) return state;
  return { ...rest, transcript, ...(tail && !clears && { tail }) };
}

/** Whether an event is the end of an unfinished utterance. */
export function settles(event: SettledEvent, tail: PartialEvent): boolean {
  if (event.type === 'silence' || event.type === 'hole') return liesWithin(tail, event);
  return event.type === 'final' && channelOf(event) === channelOf(tail) && tail.ts < event.endTs;
}
