import { isDeepStrictEqual } from 'node:util';
import type { FinalEvent, HoleEvent, LiveEvent, PartialEvent, SilenceEvent } from '../transcript/events.ts';
import { beginsWithin, isOver } from '../transcript/merge.ts';
import { channelOf, type PerChannel, withChannel } from '../transcript/perChannel.ts';
import { commonPrefixLength, tokensOf } from '../transcript/tokens.ts';
import { alignWords } from './alignWords.ts';
import { type CaptionWord, type Heard, heardOf, keyOf, type Shown } from './captionWord.ts';
import { finishUtterance } from './finishUtterance.ts';

export interface StabilizerOptions {
  /** A word is stable when so many partials in a row had it, and all words before it. Default 4. */
  readonly agreePartials?: number;
  /** A word is also stable when partials agreed on it over so many milliseconds of audio. Default 700. */
  readonly agreeMs?: number;
  /** Words at the end of a partial that are never stable. Default 1. */
  readonly holdBackWords?: number;
  /** A word stands in the tail when so many partials in a row had it, and all words before it. Default 2. */
  readonly tailPartials?: number;
}

export const DEFAULT_STABILIZER_OPTIONS = {
  agreePartials: 4,
  agreeMs: 700,
  holdBackWords: 1,
  tailPartials: 2,
} as const satisfies Required<StabilizerOptions>;

/** Finals that are remembered, so that one that comes twice is shown once. */
const REMEMBERED_FINALS = 8;

/** A word of the hypothesis that is not shown yet. */
interface Pending extends Heard {
  /** Partials in a row that had it. */
  readonly partials: number;
  /** Seconds of audio at the first of them. */
  readonly sinceTs: number;
}

export interface StabilizerState {
  readonly nextId: number;
  readonly speaker?: number;
  /** Seconds up to which all of a channel is final. */
  readonly finalEndTs: PerChannel<number>;
  readonly finals: readonly FinalEvent[];
  /** The last partial of the utterance in progress. */
  readonly partial?: PartialEvent;
  /** Words of that utterance that are shown. */
  readonly shown: readonly Shown[];
  readonly pending: readonly Pending[];
  /** How many of the pending words stand in the tail. */
  readonly tailWords: number;
}

export const initialStabilizerState: StabilizerState = {
  nextId: 0,
  finalEndTs: [],
  finals: [],
  shown: [],
  pending: [],
  tailWords: 0,
};

export interface StabilizerStep {
  /** The same object when the event says nothing new. */
  readonly state: StabilizerState;
  /** Words that are shown from now on, for good. */
  readonly added: readonly CaptionWord[];
  /** Words that may come after them; from step to step words are added at its end or taken off, never changed. */
  readonly tail: readonly string[];
  /** How shown words read in the transcript, by id; empty for a word that is not in it. */
  readonly wording: ReadonlyMap<number, string>;
}

/**
 * Finds the part of the recogniser's hypotheses that will not change.
 *
 * A word that was shown stays as it is. When the final has another, a correction is added at the end (`-- right
 * word`); another case or other marks alone correct nothing. Time is the time of the audio, so the result depends on
 * the events alone. Repairs change nothing.
 */
export function stabilize(
  state: StabilizerState,
  event: LiveEvent,
  options: StabilizerOptions = {},
): StabilizerStep {
  switch (event.type) {
    case 'partial':
      return onPartial(state, event, options);
    case 'final':
      return onFinal(state, event);
    case 'silence':
    case 'hole':
      return onNoSpeech(state, event);
    default:
      return unchanged(state);
  }
}

const unchanged = (state: StabilizerState): StabilizerStep => ({
  state,
  added: [],
  tail: tailOf(state),
  wording: new Map(),
});

const tailOf = ({ pending, tailWords }: StabilizerState) =>
  pending.slice(0, tailWords).map(word => word.text);

function onPartial(
  state: StabilizerState,
  partial: PartialEvent,
  options: StabilizerOptions,
): StabilizerStep {
  if (isOver(partial, finalEndOf(state, partial)) || isDeepStrictEqual(state.partial, partial))
    return unchanged(state);
  const abandoned = isLater(partial, state.partial) ? state.shown : [];
  const shown = abandoned.length > 0 ? [] : state.shown;
  const heard = tokensOf(partial.elements).map(heardOf);
  const { heardWords } = alignWords(shown.map(keyOf), heard.map(keyOf), {
    pending: state.pending.map(keyOf),
    mayEndEarly: true,
  });
  const rest = agreed(state.pending, heard.slice(heardWords), partial.endTs);
  const stable = stableWords(rest, partial.endTs, options);
  const added = rest.slice(0, stable).map((word, index) => ({ ...word, id: state.nextId + index }));
  const pending = rest.slice(stable);
  const next: StabilizerState = {
    ...state,
    nextId: state.nextId + stable,
    partial,
    shown: [...shown, ...added],
    pending,
    tailWords: tailLength(state, stable, pending, options),
  };
  return {
    state: next,
    added: added.map(({ id, text }) => ({ id, text })),
    tail: tailOf(next),
    wording: asShown(abandoned),
  };
}

/** How words read whose final never comes. */
const asShown = (words: readonly Shown[]) => new Map(words.map(({ id, text }) => [id, text]));

function onNoSpeech(state: StabilizerState, event: SilenceEvent | HoleEvent): StabilizerStep {
  if (!state.partial || !beginsWithin(state.partial, event)) return unchanged(state);
  const next = { ...state, partial: undefined, shown: [], pending: [], tailWords: 0 };
  return { state: next, added: [], tail: [], wording: asShown(state.shown) };
}

/** Whether a partial belongs to another utterance than the one before it, whose final has not come. */
function isLater(partial: PartialEvent, before: PartialEvent | undefined): boolean {
  if (before === undefined) return false;
  if (channelOf(partial) !== channelOf(before)) return true;
  return before.ts < before.endTs && partial.ts >= before.endTs;
}

function agreed(before: readonly Pending[], heard: readonly Heard[], endTs: number): readonly Pending[] {
  const same = commonPrefixLength(before.map(keyOf), heard.map(keyOf));
  return heard.map((word, index) => {
    const { partials, sinceTs } = index < same ? before[index]! : { partials: 0, sinceTs: endTs };
    return { ...word, partials: partials + 1, sinceTs };
  });
}

function stableWords(words: readonly Pending[], endTs: number, options: StabilizerOptions): number {
  const {
    agreePartials = DEFAULT_STABILIZER_OPTIONS.agreePartials,
    agreeMs = DEFAULT_STABILIZER_OPTIONS.agreeMs,
    holdBackWords = DEFAULT_STABILIZER_OPTIONS.holdBackWords,
  } = options;
  const most = Math.max(0, words.length - holdBackWords);
  const unstable = words.findIndex(
    ({ partials, sinceTs }) => partials < agreePartials && (endTs - sinceTs) * 1000 < agreeMs,
  );
  return unstable < 0 ? most : Math.min(most, unstable);
}

/** A tail that was right goes on growing; one that was wrong is only cut back. */
function tailLength(
  before: StabilizerState,
  stable: number,
  pending: readonly Pending[],
  { tailPartials = DEFAULT_STABILIZER_OPTIONS.tailPartials }: StabilizerOptions,
): number {
  const shown = before.pending.slice(stable, Math.max(stable, before.tailWords)).map(keyOf);
  const same = commonPrefixLength(shown, pending.map(keyOf));
  if (same < shown.length) return same;
  const unsure = pending.findIndex(({ partials }) => partials < tailPartials);
  return Math.max(same, unsure < 0 ? pending.length : unsure);
}

function onFinal(state: StabilizerState, final: FinalEvent): StabilizerStep {
  if (state.finals.some(known => isDeepStrictEqual(known, final))) return unchanged(state);
  const heard = tokensOf(final.elements).map(heardOf);
  const apart = isApart(state, final);
  const beyond = state.shown.findIndex(({ ts = 0 }) => ts >= final.endTs);
  const shown = apart ? [] : state.shown.slice(0, beyond < 0 ? state.shown.length : beyond);
  const speaker = heard.length > 0 ? (final.speaker ?? state.speaker) : state.speaker;
  const opensTurn = state.speaker !== undefined && speaker !== state.speaker;
  const { added, wording } = finishUtterance(shown, heard, {
    nextId: state.nextId,
    opensTurn,
    pending: state.pending,
  });
  const next: StabilizerState = {
    ...state,
    nextId: state.nextId + added.length,
    speaker,
    finalEndTs: withChannel(
      state.finalEndTs,
      channelOf(final),
      Math.max(finalEndOf(state, final), final.endTs),
    ),
    finals: [...state.finals, final].slice(-REMEMBERED_FINALS),
    ...(!apart && { partial: undefined, shown: state.shown.slice(shown.length), pending: [], tailWords: 0 }),
  };
  return { state: next, added, tail: tailOf(next), wording };
}

/** Whether a final is not about the utterance in progress: it came late, ends before that begins, or is of another channel. */
function isApart(state: StabilizerState, final: FinalEvent): boolean {
  const { partial } = state;
  if (isPast(state, final)) return true;
  return partial !== undefined && (channelOf(partial) !== channelOf(final) || final.endTs <= partial.ts);
}

/** Whether something ends before the last final of its channel does. */
export function isPast(state: StabilizerState, event: FinalEvent | HoleEvent): boolean {
  return event.endTs <= finalEndOf(state, event);
}

function finalEndOf({ finalEndTs }: StabilizerState, event: { readonly channel?: number }): number {
  return finalEndTs[channelOf(event)] ?? 0;
}
