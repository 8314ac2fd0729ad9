import { isDeepStrictEqual } from 'node:util';
import { isOver, liesWithin } from '../transcript/merge/merge.ts';
import type {
  FinalEvent,
  HoleEvent,
  LiveEvent,
  PartialEvent,
  SilenceEvent,
} from '../transcript/model/events.ts';
import { channelOf, type PerChannel, withChannel } from '../transcript/model/perChannel.ts';
import { commonPrefixLength } from '../transcript/text/tokens.ts';
import { alignWords } from './alignWords.ts';
import { type CaptionWord, type Heard, keyOf, type Shown } from './captionWord.ts';
import { finishUtterance } from './finishUtterance.ts';
import {
  addLeft,
  asShown,
  type HeardSpan,
  heardAgain,
  isSameUtterance,
  type LeftUtterance,
  spanOf,
} from './utterances.ts';

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

export const STABILIZER_DEFAULTS = {
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
  /** Utterances before it that have words on which no final has come. */
  readonly left: readonly LeftUtterance[];
}

const NO_UTTERANCE = { partial: undefined, shown: [], pending: [], tailWords: 0 } as const;

export const initialStabilizerState: StabilizerState = {
  nextId: 0,
  finalEndTs: [],
  finals: [],
  ...NO_UTTERANCE,
  left: [],
};

export interface StabilizerStep {
  /** The same object when the event says nothing new. */
  readonly state: StabilizerState;
  /** Words that are shown from now on, for good. */
  readonly added: readonly CaptionWord[];
  /** Words that may come after them; from step to step words are added at its end or taken off, never changed. */
  readonly tail: readonly string[];
  /**
   * The wording of shown words in the transcript, by id; empty for a word that is not in it. Words of an utterance that was
   * left read as they are shown, and otherwise when it is heard again.
   */
  readonly wording: ReadonlyMap<number, string>;
}

/**
 * Finds the part of the recogniser's hypotheses that will not change.
 *
 * A word that was shown stays as it is. When the final has another, a correction is added at the end (`-- right
 * word`); another case or other marks alone correct nothing. Words of an utterance that was left without a final, as after
 * a hole or for another channel, are remembered: heard again, they are not shown again. Time is the time of the audio, so
 * the result depends on the events alone. Repairs change nothing.
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
  before: StabilizerState,
  partial: PartialEvent,
  options: StabilizerOptions,
): StabilizerStep {
  if (isOver(partial, finalEndOf(before, partial)) || isDeepStrictEqual(before.partial, partial))
    return unchanged(before);
  const span = spanOf(partial);
  const heard = span.words;
  const { state, wording } = isLater(span, before.partial) ? leave(before) : unchanged(before);
  const { again, others } = heardAgain(state.left, span);
  const shown = [...again, ...state.shown].toSorted((a, b) => a.id - b.id);
  const { heardWords } = alignWords(shown.map(keyOf), heard.map(keyOf), {
    pending: state.pending.map(keyOf),
    mayEndEarly: true,
  });
  const rest = agreed(state.pending, heard.slice(heardWords), partial.endTs);
  const stable = stableWords(rest, partial.endTs, options);
  const added = rest
    .slice(0, stable)
    .map((word, index) => ({ ...word, id: state.nextId + index, saidBefore: partial.endTs }));
  const pending = rest.slice(stable);
  const next: StabilizerState = {
    ...state,
    nextId: state.nextId + stable,
    partial,
    shown: [...shown, ...added],
    pending,
    tailWords: tailLength(before, stable, pending, options),
    left: others,
  };
  return { state: next, added: added.map(({ id, text }) => ({ id, text })), tail: tailOf(next), wording };
}

/** Ends the utterance in progress without a final. */
function leave(state: StabilizerState): StabilizerStep {
  const { partial, shown } = state;
  if (!partial) return unchanged(state);
  const one = {
    ...{ channel: channelOf(partial), ts: partial.ts, endTs: endOf(shown, partial.endTs) },
    ...{ shown, isWorded: true },
  };
  const { left, wording } = addLeft(state.left, one, finalEndOf(state, partial));
  const next = { ...state, ...NO_UTTERANCE, left };
  return { state: next, added: [], tail: [], wording: new Map([...wording, ...asShown(shown)]) };
}

const endOf = (shown: readonly Shown[], endTs: number) =>
  shown.reduce((end, { saidBefore }) => Math.max(end, saidBefore), endTs);

function onNoSpeech(state: StabilizerState, event: SilenceEvent | HoleEvent): StabilizerStep {
  const isWithin = state.partial !== undefined && liesWithin(state.partial, event);
  return isWithin ? leave(state) : unchanged(state);
}

/** Returns whether a partial begins another utterance than that of the partial before it, whose final has not come. */
function isLater(span: HeardSpan, before: PartialEvent | undefined): boolean {
  if (before === undefined) return false;
  if (span.channel !== channelOf(before)) return true;
  return hasLength(before) && before.ts < span.ts && !isSameUtterance(spanOf(before), span);
}

const hasLength = ({ ts, endTs }: PartialEvent) => ts < endTs;

function agreed(before: readonly Pending[], heard: readonly Heard[], endTs: number): readonly Pending[] {
  const same = commonPrefixLength(before.map(keyOf), heard.map(keyOf));
  return heard.map((word, index) => {
    const { partials, sinceTs } = index < same ? before[index]! : { partials: 0, sinceTs: endTs };
    return { ...word, partials: partials + 1, sinceTs };
  });
}

function stableWords(words: readonly Pending[], endTs: number, options: StabilizerOptions): number {
  const {
    agreePartials = STABILIZER_DEFAULTS.agreePartials,
    agreeMs = STABILIZER_DEFAULTS.agreeMs,
    holdBackWords = STABILIZER_DEFAULTS.holdBackWords,
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
  { tailPartials = STABILIZER_DEFAULTS.tailPartials }: StabilizerOptions,
): number {
  const shown = before.pending.slice(stable, Math.max(stable, before.tailWords)).map(keyOf);
  const same = commonPrefixLength(shown, pending.map(keyOf));
  if (same < shown.length) return same;
  const unsure = pending.findIndex(({ partials }) => partials < tailPartials);
  return Math.max(same, unsure < 0 ? pending.length : unsure);
}

function onFinal(state: StabilizerState, final: FinalEvent): StabilizerStep {
  if (state.finals.some(known => isDeepStrictEqual(known, final))) return unchanged(state);
  const span = spanOf(final);
  const heard = span.words;
  const { again, others } = heardAgain(state.left, span);
  const isApart = isPast(state, final) || isOfOther(span, state.partial);
  const all = isApart ? again : [...again, ...state.shown];
  const shown = all.slice(0, wordCount(all, heard, final));
  const speaker = heard.length > 0 ? (final.speaker ?? state.speaker) : state.speaker;
  const opensTurn = state.speaker !== undefined && speaker !== state.speaker;
  const finished = finishUtterance(shown, heard, {
    nextId: state.nextId,
    opensTurn,
    pending: isApart ? [] : state.pending,
  });
  const channel = channelOf(final);
  const finalEndTs = Math.max(finalEndOf(state, final), final.endTs);
  const beyond = all.slice(shown.length);
  const rest = {
    ...{ channel, ts: final.endTs, endTs: endOf(beyond, final.endTs + CUT_SECONDS) },
    ...{ shown: beyond, isWorded: false },
  };
  const { left, wording } = addLeft(others, rest, finalEndTs);
  const next: StabilizerState = {
    ...state,
    ...(!isApart && NO_UTTERANCE),
    nextId: state.nextId + finished.added.length,
    speaker,
    finalEndTs: withChannel(state.finalEndTs, channel, finalEndTs),
    finals: [...state.finals, final].slice(-REMEMBERED_FINALS),
    left,
  };
  return {
    state: next,
    added: finished.added,
    tail: tailOf(next),
    wording: new Map([...wording, ...finished.wording]),
  };
}

/** Words on which partials agreed so much later than a final ends may be behind it; just below 0.5, as 8.2 - 7.7 is. */
const CUT_SECONDS = 0.499;

/** The number of shown words that a final covers: it may have cut the utterance. */
function wordCount(shown: readonly Shown[], heard: readonly Heard[], final: FinalEvent): number {
  const beyond = shown.findIndex(({ ts = 0 }) => ts >= final.endTs);
  if (beyond < 0 && endOf(shown, 0) - final.endTs < CUT_SECONDS) return shown.length;
  // Times of partials are rough, and may be missing: words that the final does not have at its end are behind it.
  const { pairs } = alignWords(shown.map(keyOf), heard.map(keyOf), { mayEndEarly: true });
  const last = pairs.findLast(pair => pair.shown !== undefined && pair.heard !== undefined);
  return Math.min((last?.shown ?? -1) + 1, beyond < 0 ? shown.length : beyond);
}

/** Returns whether a final is not about the utterance in progress: it is of one before, or of another channel. */
function isOfOther(span: HeardSpan, partial: PartialEvent | undefined): boolean {
  if (partial === undefined) return false;
  if (span.channel !== channelOf(partial) || span.endTs <= partial.ts) return true;
  return hasLength(partial) && span.ts < partial.ts && !isSameUtterance(span, spanOf(partial));
}

/** Whether something ends before the last final of its channel does. */
export function isPast(state: StabilizerState, event: FinalEvent | HoleEvent): boolean {
  return event.endTs <= finalEndOf(state, event);
}

function finalEndOf({ finalEndTs }: StabilizerState, event: { readonly channel?: number }): number {
  return finalEndTs[channelOf(event)] ?? 0;
}
