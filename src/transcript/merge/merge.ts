import { dequal } from 'dequal/lite';
import { distinctUntilChanged, type OperatorFunction, scan } from 'rxjs';
import type { HoleEvent, LiveEvent, PartialEvent, SilenceEvent } from '../model/events.ts';
import { channelOf } from '../model/events.ts';
import { emptyTranscript, type Transcript } from '../model/model.ts';
import type { SettledEvent } from './coverEvent.ts';
import { addSettled, endOf } from './growingTranscript.ts';

/** The transcript of a session so far: final text, and the current hypothesis. */
export interface LiveTranscript {
  /** Id of the session, once it is connected. */
  readonly id?: string;
  /** The final text. */
  readonly transcript: Transcript;
  /** The latest partial of the unfinished utterance. */
  readonly tail?: PartialEvent;
}

/** The live transcript before the first event. */
export const emptyLiveTranscript: LiveTranscript = { transcript: emptyTranscript };

/**
 * Adds an event to a live transcript. Pure; returns the same object when nothing changes.
 *
 * - A final never changes later. Finals are ordered by time, and join the monologue before them when the speaker is the same.
 *   A final that overlaps earlier ones of its channel has its times clamped; no word is dropped.
 * - Words of a repair are placed among the finals by their time.
 * - `transcript.coverage` states which audio has text, is silent, or was not transcribed.
 * - A partial replaces the tail, unless the final text already covers it.
 * - A final clears the tail of its channel, unless the tail begins after it; so do silence and holes that cover the whole tail.
 *
 * @example
 * import type { LiveEvent } from 'rxscribe';
 * const events: LiveEvent[] = [
 *   { type: 'final', ts: 0, endTs: 1, elements: [{ type: 'text', value: 'Hello', ts: 0.2, endTs: 0.6 }] },
 * ];
 * events.reduce(mergeEvent, emptyLiveTranscript).transcript.monologues.length; // 1
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
 * Merges the events of a session to its live transcript, emitted whenever it changes (see {@link mergeEvent}).
 *
 * @example
 * import { chunk, mergeTranscript, microphone, textOf, transcribe } from 'rxscribe';
 *
 * microphone()
 *   .pipe(chunk(), transcribe({ url: 'ws://127.0.0.1:8080', token: 'secret' }), mergeTranscript())
 *   .subscribe(({ transcript, tail }) => {
 *     console.log(transcript.monologues.length, textOf(tail?.elements ?? []));
 *   });
 */
export function mergeTranscript(): OperatorFunction<LiveEvent, LiveTranscript> {
  return events$ => events$.pipe(scan(mergeEvent, emptyLiveTranscript), distinctUntilChanged());
}

function mergePartial(state: LiveTranscript, partial: PartialEvent): LiveTranscript {
  if (isLate(partial, endOf(state.transcript, partial.channel)) || dequal(state.tail, partial)) return state;
  return { ...state, tail: partial };
}

/**
 * Returns whether a partial is late: final text already covers it.
 *
 * @param finalEndTs end of the last final of its channel, in seconds
 */
export function isLate(partial: PartialEvent, finalEndTs: number): boolean {
  return partial.ts < finalEndTs && partial.endTs <= finalEndTs;
}

/** Tolerance in seconds: services round times to hundredths, but holes end at any frame. */
const ROUNDING_SECONDS = 0.01;

/**
 * Returns whether an utterance will have no final, because silence or a hole covers all of it. Silence that ends within it does
 * not count: the first final implies silence before it, and its partials may have begun slightly earlier.
 */
export function isCoveredBy(partial: PartialEvent, event: SilenceEvent | HoleEvent): boolean {
  const begins = partial.ts >= event.ts - ROUNDING_SECONDS && partial.ts < event.endTs;
  return channelOf(event) === channelOf(partial) && begins && partial.endTs <= event.endTs + ROUNDING_SECONDS;
}

function mergeSettled(state: LiveTranscript, event: SettledEvent): LiveTranscript {
  const { tail } = state;
  const transcript = addSettled(state.transcript, event);
  const clears = tail !== undefined && settles(event, tail);
  if (transcript === state.transcript && !clears) return state;
  return { ...state, transcript, tail: clears ? undefined : tail };
}

/** Returns whether an event ends an unfinished utterance. */
export function settles(event: SettledEvent, tail: PartialEvent): boolean {
  if (event.type === 'silence' || event.type === 'hole') return isCoveredBy(tail, event);
  return event.type === 'final' && channelOf(event) === channelOf(tail) && tail.ts < event.endTs;
}
