import type { FinalEvent, LiveEvent, PartialEvent } from '../../transcript/model/events.ts';
import { elementsOfTokens, tokensOf } from '../../transcript/text/tokens.ts';

/** Minimum number of seconds of a typed phrase. */
const LEAST_SECONDS = 0.1;

/** State of speech that is recognised or typed. */
export interface TypedSpeech {
  readonly isTyping: boolean;
  /** The utterance in progress when recognition is shown. */
  readonly partial?: PartialEvent;
  /** End of the last text in seconds. */
  readonly endTs: number;
  /** Speaker of the last recognised text, whose words are typed. */
  readonly speaker?: number;
  /** True until the first text after a change from recognised to typed text, or back. */
  readonly opensParagraph?: boolean;
  /** Recognised text before this time is not shown, as it was typed. Seconds. */
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
  if (state.isTyping || event.ts < state.typedUntilTs) return { state, events: [] };
  const { partial: _before, ...rest } = state;
  const shown = state.opensParagraph ? { ...event, opensParagraph: true } : event;
  if (shown.type === 'partial') return { state: { ...rest, partial: shown }, events: [shown] };
  const endTs = Math.max(state.endTs, shown.endTs);
  return { state: { ...rest, endTs, speaker: shown.speaker, opensParagraph: undefined }, events: [shown] };
}

/** Begins typing: the utterance in progress becomes final as it is. */
export function takeOver(state: TypedSpeech): TypedStep {
  const { partial, ...before } = state;
  const rest = { ...before, isTyping: true, opensParagraph: true };
  if (!partial || partial.elements.length === 0) return { state: rest, events: [] };
  const { type: _, ...spoken } = partial;
  const endTs = Math.max(partial.endTs, partial.ts + LEAST_SECONDS);
  const final: FinalEvent = {
    ...spoken,
    type: 'final',
    endTs,
    elements: elementsOfTokens(tokensOf(partial.elements)),
  };
  return { state: { ...rest, endTs: Math.max(state.endTs, endTs) }, events: [final] };
}

/** Adds a typed phrase, as if it had been spoken since the text before it. `nowTs`: position of the audio in seconds. */
export function typePhrase(state: TypedSpeech, text: string, nowTs: number): TypedStep {
  const words = text.split(/\s+/).filter(Boolean);
  if (words.length === 0) return { state, events: [] };
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
  return { state: { ...state, endTs, opensParagraph: undefined }, events: [final] };
}

/** Longest duration of a typed word. */
const MAX_WORD_SECONDS = 0.5;

/** Ends typing: recognised text from now on is shown again. */
export function handBack(state: TypedSpeech, nowTs: number, opensParagraph = state.opensParagraph) {
  return { ...state, isTyping: false, opensParagraph, typedUntilTs: Math.max(nowTs, state.endTs) };
}

/** Sets the earliest start of later typed text: nothing before this time is shown. */
export function beginAfter(state: TypedSpeech, nowTs: number): TypedSpeech {
  return { ...state, endTs: Math.max(state.endTs, nowTs + LEAST_SECONDS) };
}
