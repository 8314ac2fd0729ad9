import type { EditorState } from '@codemirror/state';
import { DESK_LIMITS } from '../../../protocol/limits.ts';
import type { Span } from '../player/spans.ts';
import { timedWordsIn, untimedWords } from './places.ts';
import { byPlace, type Place } from './timedWords.ts';

/** Words without times, one after the other, and the part of the audio in which they are spoken. */
export interface UntimedRun extends Span {
  readonly words: readonly (Place & { readonly text: string })[];
}

/**
 * Without the place of the audio, words are searched within this time after the last timed word, plus a second for each word.
 */
const NEAR_SECONDS = 60;
/** Fewer than the server accepts, so that slow speakers say them in that time too. */
const MAX_WORDS = 250;
/** Less time is no place for a word. */
const LEAST_SECONDS_PER_WORD = 0.03;
/** A longer part is narrowed to the audio that was heard when the words were typed. */
const LONG_SECONDS = 30;
/** Maximum seconds between hearing words and typing them, plus one for each word. */
const BEFORE_HEARD_SECONDS = 20;
/** Seconds by which people may have gone back in the audio since they heard the words. */
const AFTER_HEARD_SECONDS = 5;
/** Fewer words are found anywhere in a long part. */
const LEAST_WORDS_OF_LONG = 4;

interface Item extends Place {
  /** Times of the word; undefined when it has none. */
  readonly timed: { readonly ts: number; readonly endTs: number } | undefined;
}

export interface RunOptions {
  readonly segments: readonly Span[];
  /** The place of the audio in seconds when the words were typed, if known. */
  readonly heardTs?: number | undefined;
}

/**
 * Returns the runs of words without times of a line, by its number from 1: each up to the timed words around it, which may be in
 * other lines. Those without a place in the audio are left out. The words of a long part may be in two runs: the first where
 * the audio was heard, the second in the whole part.
 */
export function untimedRunsOf(state: EditorState, lineNumber: number, options: RunOptions): UntimedRun[] {
  const runs: UntimedRun[] = [];
  let reached = -1;
  for (const { from } of untimedWords(state, lineNumber)) {
    if (from < reached) continue;
    const found = untimedRunsAt(state, from, options);
    reached = found.to;
    runs.push(...found.runs);
  }
  return runs;
}

/** Returns the runs of an untimed word, and the end of their last word. */
function untimedRunsAt(
  state: EditorState,
  pos: number,
  { segments, heardTs }: RunOptions,
): { runs: readonly UntimedRun[]; to: number } {
  const before = untilTimed(itemsBefore(state, pos));
  const after = untilTimed(itemsFrom(state, pos));
  const all = [...before.untimed.reverse(), ...after.untimed];
  const words = all
    .slice(0, MAX_WORDS)
    .map(place => ({ ...place, text: state.sliceDoc(place.from, place.to) }))
    .filter(({ text }) => text.length <= DESK_LIMITS.alignedWordLength);
  // With more words than may be timed at once, the last of them is not just before the next timed word.
  const start = before.timed?.endTs ?? 0;
  const end = (all.length <= MAX_WORDS ? after.timed?.ts : undefined) ?? Number.POSITIVE_INFINITY;
  // Words far from the last timed one wait until those before them are timed.
  const isNear = before.untimed.length <= MAX_WORDS;
  const runs = partsOf({ start, end }, words.length, heardTs)
    .map(part => ({ words, ...clipped(part, segments, NEAR_SECONDS + words.length) }))
    .filter(run => isNear && run.end - run.start >= LEAST_SECONDS_PER_WORD * words.length);
  return { runs: words.length > 0 ? runs : [], to: all.at(-1)?.to ?? pos };
}

/** Returns where words between two times may be spoken, the likeliest part first. */
function partsOf(whole: Span, count: number, heardTs: number | undefined): readonly Span[] {
  const { start, end } = whole;
  const isHeard = heardTs !== undefined && heardTs > start - AFTER_HEARD_SECONDS && heardTs < end;
  if (!isHeard || end - start <= LONG_SECONDS) return [whole];
  const heard = {
    start: Math.max(start, heardTs - BEFORE_HEARD_SECONDS - count),
    end: Math.min(end, Math.max(heardTs, start + count) + AFTER_HEARD_SECONDS),
  };
  return count < LEAST_WORDS_OF_LONG ? [heard] : [heard, whole];
}

/** Returns the part within the segments, from the first to the last, limited to a number of seconds. */
function clipped({ start, end }: Span, segments: readonly Span[], seconds: number): Span {
  const first = segments.find(segment => segment.end > start);
  const from = Math.max(start, first?.start ?? start);
  const last = segments.findLast(segment => segment.start < end);
  return {
    start: from,
    end: Math.min(end, last?.end ?? end, from + Math.min(DESK_LIMITS.alignedSeconds, seconds)),
  };
}

function untilTimed(items: Iterable<Item>): { untimed: Place[]; timed: Item['timed'] } {
  const untimed: Place[] = [];
  for (const { from, to, timed } of items) {
    if (timed || untimed.length > MAX_WORDS) return { untimed, timed };
    untimed.push({ from, to });
  }
  return { untimed, timed: undefined };
}

function* itemsBefore(state: EditorState, pos: number): Generator<Item> {
  for (let number = state.doc.lineAt(pos).number; number > 0; number--) {
    for (const item of itemsOf(state, number).reverse()) if (item.to <= pos) yield item;
  }
}

function* itemsFrom(state: EditorState, pos: number): Generator<Item> {
  for (let number = state.doc.lineAt(pos).number; number <= state.doc.lines; number++) {
    for (const item of itemsOf(state, number)) if (item.from >= pos) yield item;
  }
}

function itemsOf(state: EditorState, lineNumber: number): Item[] {
  const line = state.doc.line(lineNumber);
  const untimed = untimedWords(state, lineNumber).map(place => ({ ...place, timed: undefined }));
  const timed = timedWordsIn(state, line).map(({ from, to, word }) => ({ from, to, timed: word }));
  return [...untimed, ...timed].sort(byPlace);
}
