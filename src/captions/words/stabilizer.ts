import { dequal } from 'dequal/lite';
import { isCoveredBy, isLate } from '../../transcript/merge/merge.ts';
import type {
  FinalEvent,
  HoleEvent,
  LiveEvent,
  PartialEvent,
  SilenceEvent,
} from '../../transcript/model/events.ts';
import { channelOf, type PerChannel, withChannel } from '../../transcript/model/events.ts';
import type { WordsStep } from '../captionStep.ts';
import { agreed, type PendingWord, type StabilizerOptions, stableWords, tailLength } from './agreement.ts';
import { alignWords } from './alignWords.ts';
import type { CaptionWord, HypothesisWord, ShownWord, Turn } from './captionWord.ts';
import { finishUtterance } from './finishUtterance.ts';
import { channelTurnOf, paragraphOf, speakerTurnOf } from './turns.ts';
import {
  addUnfinished,
  asShown,
  isSameUtterance,
  spanOf,
  splitRepeated,
  type UnfinishedUtterance,
  type UtteranceSpan,
} from './utterances.ts';

/** Remembered finals, so that a duplicate is shown once. */
const REMEMBERED_FINALS = 8;

export interface StabilizerState {
  readonly nextId: number;
  readonly speaker?: number;
  /** Channel of the last shown word. */
  readonly channel?: number;
  /** End of the final text in seconds, by channel. */
  readonly finalEndTs: PerChannel<number>;
  readonly finals: readonly FinalEvent[];
  /** The last partial of the utterance in progress. */
  readonly partial?: PartialEvent;
  /** Shown words of that utterance. */
  readonly shown: readonly ShownWord[];
  readonly pending: readonly PendingWord[];
  /** Number of pending words in the tail. */
  readonly tailWords: number;
  /** Earlier utterances with shown words that are not final. */
  readonly left: readonly UnfinishedUtterance[];
}

const NO_UTTERANCE = { partial: undefined, shown: [], pending: [], tailWords: 0 } as const;

export const initialStabilizerState: StabilizerState = {
  nextId: 0,
  finalEndTs: [],
  finals: [],
  ...NO_UTTERANCE,
  left: [],
};

export interface StabilizerStep extends Omit<WordsStep, 'type'> {
  /** The new state; the same object when nothing changes. */
  readonly state: StabilizerState;
}

/**
 * Finds the words of the hypotheses that will not change.
 *
 * A shown word never changes. When the final has another word in place of the last shown one, a correction is appended
 * (`-- right word`), unless the sense is the same. Words of an utterance without a final, as before a hole, are remembered, and not shown
 * again when they are recognised again. Times are those of the audio, so the result depends on the events only. Repairs are
 * ignored.
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
      return onFinal(state, event, options);
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
  if (isLate(partial, finalEndOf(before, partial)) || dequal(before.partial, partial))
    return unchanged(before);
  const span = spanOf(partial);
  const heard = span.words;
  const { state, wording } = isLater(span, before.partial) ? suspend(before) : unchanged(before);
  const { again, others } = splitRepeated(state.left, span);
  const shown = [...again, ...state.shown].toSorted((a, b) => a.id - b.id);
  const { heardWords } = alignWords(shown, heard, { pending: state.pending, mayEndEarly: true });
  const rest = agreed(state.pending, heard.slice(heardWords), partial.endTs);
  const stable = stableWords(rest, partial.endTs, options);
  const turn = channelTurnOf(state, span, options) ?? paragraphOf(partial, shown);
  const added = asAdded(rest.slice(0, stable), state.nextId, partial.endTs, turn);
  const pending = rest.slice(stable);
  // Before a turn that is not begun, a tail would stand on the row of the other channel.
  const hidesTail = turn !== undefined && stable === 0;
  const next: StabilizerState = {
    ...state,
    nextId: state.nextId + stable,
    channel: stable > 0 ? span.channel : state.channel,
    partial,
    shown: [...shown, ...added],
    pending,
    tailWords: hidesTail ? 0 : tailLength(before, stable, pending, options),
    left: others,
  };
  return { state: next, added: added.map(captionWordOf), tail: tailOf(next), wording };
}

/** Shows all words of the utterance in progress as they are, since no event has come for some time. */
export function finishStale(state: StabilizerState, options: StabilizerOptions = {}): StabilizerStep {
  const { partial, shown, pending, nextId } = state;
  if (!partial || pending.length === 0) return unchanged(state);
  const channel = channelOf(partial);
  const added = asAdded(pending, nextId, partial.endTs, channelTurnOf(state, { channel }, options));
  return {
    state: {
      ...state,
      nextId: nextId + added.length,
      channel,
      shown: [...shown, ...added],
      pending: [],
      tailWords: 0,
    },
    added: added.map(captionWordOf),
    tail: [],
    wording: new Map(),
  };
}

function asAdded(
  words: readonly PendingWord[],
  nextId: number,
  saidBefore: number,
  turn: Turn | undefined,
): readonly ShownWord[] {
  return words.map((word, index) => ({
    ...word,
    id: nextId + index,
    saidBefore,
    ...(index === 0 && turn),
  }));
}

const captionWordOf = ({ id, text, opensTurn, opensParagraph, speaker }: ShownWord): CaptionWord => ({
  id,
  text,
  opensTurn,
  opensParagraph,
  speaker,
});

/** Ends the utterance in progress without a final. */
function suspend(state: StabilizerState): StabilizerStep {
  const { partial, shown } = state;
  if (!partial) return unchanged(state);
  const one = {
    channel: channelOf(partial),
    ts: partial.ts,
    endTs: endOf(shown, partial.endTs),
    shown,
    isWorded: true,
  };
  const { left, wording } = addUnfinished(state.left, one, finalEndOf(state, partial));
  const next = { ...state, ...NO_UTTERANCE, left };
  return { state: next, added: [], tail: [], wording: new Map([...wording, ...asShown(shown)]) };
}

const endOf = (shown: readonly ShownWord[], endTs: number) =>
  shown.reduce((end, { saidBefore }) => Math.max(end, saidBefore), endTs);

function onNoSpeech(state: StabilizerState, event: SilenceEvent | HoleEvent): StabilizerStep {
  const isWithin = state.partial !== undefined && isCoveredBy(state.partial, event);
  return isWithin ? suspend(state) : unchanged(state);
}

/** Returns whether a partial begins a new utterance while the final of the previous one is missing. */
function isLater(span: UtteranceSpan, before: PartialEvent | undefined): boolean {
  if (before === undefined) return false;
  if (span.channel !== channelOf(before)) return true;
  return hasLength(before) && before.ts < span.ts && !isSameUtterance(spanOf(before), span);
}

const hasLength = ({ ts, endTs }: PartialEvent) => ts < endTs;

function onFinal(state: StabilizerState, final: FinalEvent, options: StabilizerOptions): StabilizerStep {
  if (state.finals.some(known => dequal(known, final))) return unchanged(state);
  const span = spanOf(final);
  const heard = span.words;
  const { again, others } = splitRepeated(state.left, span);
  const isApart = isPast(state, final) || isOfOther(span, state.partial);
  const all = isApart ? again : [...again, ...state.shown];
  const shown = all.slice(0, wordCount(all, heard, final));
  const speaker = heard.length > 0 ? (final.speaker ?? state.speaker) : state.speaker;
  const source = { channel: span.channel, speaker: final.speaker };
  const finished = finishUtterance(shown, heard, {
    nextId: state.nextId,
    speakerTurn: speakerTurnOf(state, source, options) ?? paragraphOf(final, shown),
    channelTurn: channelTurnOf(state, source, options),
    pending: isApart ? [] : state.pending,
    language: options.language,
  });
  const { channel } = span;
  const isShown = finished.added.some(({ corrects }) => corrects === undefined);
  const finalEndTs = Math.max(finalEndOf(state, final), final.endTs);
  const beyond = all.slice(shown.length);
  const rest = {
    channel,
    ts: final.endTs,
    endTs: endOf(beyond, final.endTs + CUT_SECONDS),
    shown: beyond,
    isWorded: false,
  };
  const { left, wording } = addUnfinished(others, rest, finalEndTs);
  const next: StabilizerState = {
    ...state,
    ...(!isApart && NO_UTTERANCE),
    nextId: state.nextId + finished.added.length,
    speaker,
    channel: isShown ? channel : state.channel,
    finalEndTs: withChannel(state.finalEndTs, channel, finalEndTs),
    finals: [...state.finals, final].slice(-REMEMBERED_FINALS),
    left,
  };
  return {
    state: next,
    added: finished.added,
    tail: tailOf(next),
    wording: new Map([...wording, ...finished.wording]),
    endTs: finished.endTs,
  };
}

/** Seconds after the end of a final beyond which a word may not belong to it; just below 0.5 because of rounding (8.2 - 7.7). */
const CUT_SECONDS = 0.499;

/** Returns the number of shown words that a final covers, as it may end within the utterance. */
function wordCount(shown: readonly ShownWord[], heard: readonly HypothesisWord[], final: FinalEvent): number {
  const beyond = shown.findIndex(({ ts = 0 }) => ts >= final.endTs);
  if (beyond < 0 && endOf(shown, 0) - final.endTs < CUT_SECONDS) return shown.length;
  // Times of partials are rough and may be missing: shown words that the end of the final lacks come after it.
  const { pairs } = alignWords(shown, heard, { mayEndEarly: true });
  const last = pairs.findLastIndex(pair => pair.shown && pair.heard);
  const covered = pairs.slice(0, last + 1).filter(pair => pair.shown).length;
  return Math.min(covered, beyond < 0 ? shown.length : beyond);
}

/** Returns whether a final belongs to an earlier utterance or another channel. */
function isOfOther(span: UtteranceSpan, partial: PartialEvent | undefined): boolean {
  if (partial === undefined) return false;
  if (span.channel !== channelOf(partial) || span.endTs <= partial.ts) return true;
  return hasLength(partial) && span.ts < partial.ts && !isSameUtterance(span, spanOf(partial));
}

/** Returns whether an event ends before the last final of its channel. */
export function isPast(state: StabilizerState, event: FinalEvent | HoleEvent): boolean {
  return event.endTs <= finalEndOf(state, event);
}

function finalEndOf({ finalEndTs }: StabilizerState, event: { readonly channel?: number }): number {
  return finalEndTs[channelOf(event)] ?? 0;
}
