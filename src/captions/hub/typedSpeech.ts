import {
  channelOf,
  type FinalEvent,
  type LiveEvent,
  type PartialEvent,
} from '../../transcript/model/events.ts';
import { elementsOfTokens, tokensOf } from '../../transcript/text/tokens.ts';

/** Minimum number of seconds of a typed phrase. */
const LEAST_SECONDS = 0.1;

/** State of speech that is recognised or typed. */
export interface TypedSpeech {
  readonly isTyping: boolean;
  /** The shown part of the utterance in progress. */
  readonly partial?: PartialEvent;
  /** While typing, recognised words that begin before this time complete the utterance that was shown. Default: none do. Seconds. */
  readonly spokenUntilTs?: number;
  /** End of the last text in seconds. */
  readonly endTs: number;
  /** Speaker of the last recognised text, whose words are typed. */
  readonly speaker?: number;
  /** True until the first text after a change from recognised to typed text, or back. */
  readonly opensParagraph?: boolean;
  /** Recognised words that end before this time are not shown, as they were typed. Seconds. */
  readonly typedUntilTs: number;
}

export const initialTypedSpeech: TypedSpeech = { isTyping: false, endTs: 0, typedUntilTs: 0 };

export interface TypedStep<Event = FinalEvent> {
  readonly state: TypedSpeech;
  readonly events: readonly Event[];
}

/** Passes recognised text on, except where a person types instead. */
export function nextRecognized(state: TypedSpeech, event: LiveEvent): TypedStep<LiveEvent> {
  if (event.type !== 'partial' && event.type !== 'final') return { state, events: [event] };
  if (state.isTyping) return nextSpoken(state, event);
  const { partial: before, ...rest } = state;
  const heard = partAfter(event, state.typedUntilTs);
  if (!heard) {
    const { type: _, ...place } = event;
    return { state: rest, events: before ? [{ ...place, type: 'partial', elements: [] }] : [] };
  }
  const shown = state.opensParagraph ? { ...heard, opensParagraph: true } : heard;
  if (shown.type === 'partial') return { state: { ...rest, partial: shown }, events: [shown] };
  const endTs = Math.max(state.endTs, shown.endTs);
  return { state: { ...rest, endTs, speaker: shown.speaker, opensParagraph: undefined }, events: [shown] };
}

/** Returns an event without the words that end before a time; undefined when none is left. */
function partAfter<Event extends PartialEvent | FinalEvent>(
  event: Event,
  afterTs: number,
): Event | undefined {
  if (event.ts >= afterTs) return event;
  const first = event.elements.findIndex(each => each.type !== 'punct' && (each.endTs ?? event.ts) > afterTs);
  return first < 0 ? undefined : { ...event, ts: afterTs, elements: event.elements.slice(first) };
}

/** Begins typing. The utterance in progress is completed by the words before, which are recognised a little later. */
export function takeOver(state: TypedSpeech, nowTs: number): TypedSpeech {
  return { ...state, isTyping: true, spokenUntilTs: nowTs, opensParagraph: true };
}

/** Completes the utterance that was taken over. */
function nextSpoken(state: TypedSpeech, event: PartialEvent | FinalEvent): TypedStep<LiveEvent> {
  const { partial, spokenUntilTs = 0 } = state;
  if (!partial || channelOf(event) !== channelOf(partial)) return { state, events: [] };
  if (event.ts >= spokenUntilTs) return endSpoken(state);
  const end = event.elements.findIndex(each => each.type === 'text' && (each.ts ?? 0) >= spokenUntilTs);
  const { opensParagraph } = partial;
  if (event.type === 'partial' && end < 0) {
    const shown = { ...event, opensParagraph };
    return { state: { ...state, partial: shown }, events: [shown] };
  }
  const elements = end < 0 ? event.elements : event.elements.slice(0, end);
  return endSpoken(state, { ...event, type: 'final', elements, opensParagraph });
}

/** Ends the utterance that was taken over: what is shown of it becomes final. */
function endSpoken(
  state: TypedSpeech,
  spoken: PartialEvent | FinalEvent | undefined = state.partial,
): TypedStep {
  const { partial: _, ...rest } = state;
  const tokens = tokensOf(spoken?.elements ?? []);
  if (!spoken || tokens.length === 0) return { state: rest, events: [] };
  const endTs = Math.max(tokens.at(-1)?.endTs ?? spoken.endTs, spoken.ts + LEAST_SECONDS);
  const final: FinalEvent = { ...spoken, type: 'final', endTs, elements: elementsOfTokens(tokens) };
  return { state: { ...rest, endTs: Math.max(state.endTs, endTs) }, events: [final] };
}

/** Adds a typed phrase, as if it had been spoken since the text before it. `nowTs`: position of the audio in seconds. */
export function typePhrase(before: TypedSpeech, text: string, nowTs: number): TypedStep {
  const words = text.split(/\s+/).filter(Boolean);
  if (words.length === 0) return { state: before, events: [] };
  const { state, events } = endSpoken(before);
  const { speaker, opensParagraph } = state;
  const endTs = Math.max(nowTs, state.endTs + LEAST_SECONDS);
  const share = Math.min((endTs - state.endTs) / words.length, MAX_WORD_SECONDS);
  const ts = endTs - share * words.length;
  const tokens = words.map((word, index) => ({
    text: word,
    ts: ts + index * share,
    endTs: ts + (index + 1) * share,
  }));
  const elements = elementsOfTokens(tokens);
  const final: FinalEvent = { type: 'final', ts, endTs, elements, speaker, opensParagraph };
  return { state: { ...state, endTs, opensParagraph: undefined }, events: [...events, final] };
}

/** Longest duration of a typed word. */
const MAX_WORD_SECONDS = 0.5;

/** Ends typing: recognised words that end later are shown again. */
export function handBack(
  before: TypedSpeech,
  nowTs: number,
  opensParagraph = before.opensParagraph,
): TypedStep {
  const { state, events } = endSpoken(before);
  const typedUntilTs = Math.max(nowTs, state.endTs);
  return { state: { ...state, isTyping: false, opensParagraph, typedUntilTs }, events };
}

/** Sets the earliest start of later typed text: nothing before this time is shown. */
export function beginAfter(state: TypedSpeech, nowTs: number): TypedSpeech {
  return { ...state, endTs: Math.max(state.endTs, nowTs + LEAST_SECONDS) };
}
