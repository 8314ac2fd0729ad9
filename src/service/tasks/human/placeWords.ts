import { longestRise } from '../../../transcript/text/longestRise.ts';
import { pairWords } from '../../../transcript/text/pairWords.ts';
import type { Span } from '../speakers.ts';
import { beginningOf, between, endOf, layOut, lengthOf, type TimeAxis } from './timeAxis.ts';

/** A word written by a person, without a time. */
export interface WrittenWord {
  /** Equal for spellings of the same word; empty for anything but a word. */
  readonly key: string;
  readonly letters: number;
  readonly speaker: number;
  /** The time given by the person, if any. */
  readonly span?: Span;
}

/** A word recognised by the machine. */
export interface RecognizedWord extends Span {
  readonly key: string;
}

/** Seconds per letter where no time is known: some 150 words per minute. */
const SECONDS_PER_LETTER = 0.08;
/** Recognised speech shorter than this share of the time needed for the written words was misrecognised. */
const LEAST_SHARE = 1 / 3;

/**
 * Returns the times of words: those given by the person; else those of the same words recognised in the same place; else
 * between their neighbours, where speech was recognised, or where there is time. Words lie within the bounds, and those of one
 * speaker do not overlap.
 *
 * @param bounds spans in order without overlap; the last may have no end
 */
export function placeWords(
  words: readonly WrittenWord[],
  recognized: readonly RecognizedWord[],
  bounds: TimeAxis,
): readonly Span[] {
  const voiced = recognized.flatMap(word => clipped(word, bounds));
  const known = knownSpans(words, voiced, bounds);
  const voices = inOrder(voiced);
  const placed: Span[] = [];
  const place = placeInOrder(words, known, placed);
  let firstVoice = 0;
  for (let from = 0; from < words.length; ) {
    const span = known[from];
    if (span) {
      place(span);
      from++;
      continue;
    }
    let to = from;
    while (to < words.length && !known[to]) to++;
    const gap = { ts: placed.at(-1)?.endTs ?? bounds[0]!.ts, endTs: known[to]?.ts ?? bounds.at(-1)!.endTs };
    while (firstVoice < voices.length && middleOf(voices[firstVoice]!) < gap.ts) firstVoice++;
    let lastVoice = firstVoice;
    while (lastVoice < voices.length && middleOf(voices[lastVoice]!) < gap.endTs) lastVoice++;
    const during = between(voices.slice(firstVoice, lastVoice), gap);
    const isHead = from === 0 && to < words.length;
    // Added one by one: a day of words is too many arguments for one call.
    for (const span of fill(words.slice(from, to), { gap, during, isHead, bounds })) place(span);
    from = to;
  }
  return placed;
}

/** Returns a function that places the next word, between the words of its speaker whose times are known. */
function placeInOrder(
  words: readonly WrittenWord[],
  known: readonly (Span | undefined)[],
  placed: Span[],
): (span: Span) => void {
  const starts = new Map<number, number>();
  /** Words to come, the next one last. */
  const coming: { readonly speaker: number; readonly nextStart: number }[] = [];
  for (const [at, { speaker }] of [...words.entries()].reverse()) {
    coming.push({ speaker, nextStart: starts.get(speaker) ?? Number.POSITIVE_INFINITY });
    const start = known[at]?.ts;
    if (start !== undefined) starts.set(speaker, start);
  }
  const ends = new Map<number, number>();
  return ({ ts, endTs }) => {
    const { speaker, nextStart } = coming.pop()!;
    const within = (time: number) => Math.min(Math.max(time, ends.get(speaker) ?? 0), nextStart);
    const span = { ts: within(ts), endTs: within(endTs) };
    ends.set(speaker, span.endTs);
    placed.push(span);
  };
}

const middleOf = ({ ts, endTs }: Span) => (ts + endTs) / 2;

/**
 * Returns those times of {@link placeWords} that are known: given by the person, or of the same words recognised in the same
 * place.
 */
export function knownTimes(
  words: readonly WrittenWord[],
  recognized: readonly RecognizedWord[],
  bounds: TimeAxis,
): readonly (Span | undefined)[] {
  return knownSpans(
    words,
    recognized.flatMap(word => clipped(word, bounds)),
    bounds,
  );
}

/** Clips a word to the span that contains its middle. */
function clipped(word: RecognizedWord, bounds: TimeAxis): readonly RecognizedWord[] {
  const middle = middleOf(word);
  const bound = bounds.find(({ ts, endTs }) => middle >= ts && middle <= endTs);
  if (!bound) return [];
  return [{ ...word, ts: Math.max(word.ts, bound.ts), endTs: Math.min(word.endTs, bound.endTs) }];
}

/** Returns the known times of words, as many as keep the order of the words of each speaker: people talk at the same time. */
function knownSpans(
  words: readonly WrittenWord[],
  recognized: readonly RecognizedWord[],
  bounds: TimeAxis,
): readonly (Span | undefined)[] {
  const spans = words.map(({ span }) => (span && isWithin(span, bounds) ? span : undefined));
  const keys = words.map(({ key }) => key);
  for (const { left, right } of pairWords(
    keys,
    recognized.map(({ key }) => key),
  )) {
    if (keys[left] !== '') spans[left] ??= recognized[right];
  }
  const known: (Span | undefined)[] = words.map(() => undefined);
  const timed = words.flatMap(({ speaker }, index) => {
    const span = spans[index];
    return span ? [{ ...span, speaker, index }] : [];
  });
  for (const ofSpeaker of Map.groupBy(timed, ({ speaker }) => speaker).values()) {
    const kept = new Set(longestRise(ofSpeaker.map(({ ts }) => ts)));
    const rise = ofSpeaker.filter((_, at) => kept.has(at));
    for (const [at, { index, ts, endTs }] of rise.entries()) {
      known[index] = { ts, endTs: Math.min(endTs, rise[at + 1]?.ts ?? endTs) };
    }
  }
  return known;
}

function isWithin({ ts, endTs }: Span, bounds: TimeAxis): boolean {
  return ts <= endTs && bounds.some(bound => ts >= bound.ts && endTs <= bound.endTs);
}

/** Returns words in order of time, without overlap. */
function inOrder(recognized: readonly RecognizedWord[]): TimeAxis {
  let reached = 0;
  return recognized
    .toSorted((one, other) => one.ts - other.ts)
    .map(({ ts, endTs }) => {
      const from = Math.max(ts, reached);
      reached = Math.max(from, endTs);
      return { ts: from, endTs: reached };
    });
}

interface Gap {
  readonly gap: Span;
  /** Speech recognised within the gap. */
  readonly during: TimeAxis;
  /** True when only the end of the gap is known. */
  readonly isHead: boolean;
  readonly bounds: TimeAxis;
}

/** Returns times for the words of a gap. */
function fill(words: readonly WrittenWord[], { gap, during, isHead, bounds }: Gap): readonly Span[] {
  if (during.length === words.length) return during;
  // Elements without letters also take a moment.
  const weights = words.map(({ letters }) => Math.max(1, letters));
  const seconds = SECONDS_PER_LETTER * weights.reduce((sum, weight) => sum + weight, 0);
  if (lengthOf(during) >= LEAST_SHARE * seconds) return layOut(weights, during);
  const free = between(bounds, gap);
  if (free.length === 0) return words.map(() => ({ ts: gap.ts, endTs: gap.ts }));
  return layOut(weights, isHead ? endOf(free, seconds) : beginningOf(free, seconds));
}
