import { longestRise } from '../../../transcript/text/longestRise.ts';
import { pairWords } from '../../../transcript/text/pairWords.ts';
import type { Span } from '../speakers.ts';
import { beginningOf, between, endOf, layOut, lengthOf, type TimeAxis } from './timeAxis.ts';

/** A word that somebody wrote, of which it is to be found out when it was said. */
export interface WrittenWord {
  /** Equal for spellings of the same word; empty for what is no word. */
  readonly key: string;
  readonly letters: number;
  /** When whoever wrote it says that it was said. */
  readonly span?: Span;
}

/** A word that a machine heard. */
export interface HeardWord extends Span {
  readonly key: string;
}

/** How long a letter takes, where nothing else tells: some 150 words a minute. */
const SECONDS_PER_LETTER = 0.08;
/** What was heard in less time than this part of what it takes to say what was written was misheard. */
const LEAST_SHARE = 1 / 3;

/**
 * When words were said: as whoever wrote them says; else as the machine heard the same word in the same place; else
 * between their neighbours, where the machine heard something, or where there is time. Every word stands within the
 * bounds, and none begins before the one before it ends.
 *
 * @param bounds pieces of time in order, none over another; the last may have no end
 */
export function placeWords(
  words: readonly WrittenWord[],
  heard: readonly HeardWord[],
  bounds: TimeAxis,
): readonly Span[] {
  const voiced = heard.flatMap(word => clipped(word, bounds));
  const known = knownSpans(words, voiced, bounds);
  const voices = inOrder(voiced);
  const placed: Span[] = [];
  let firstVoice = 0;
  for (let from = 0; from < words.length; ) {
    const span = known[from];
    if (span) {
      placed.push(span);
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
    // One by one: as arguments of one call the words of a day are too many.
    for (const span of fill(words.slice(from, to), { gap, during, isHead, bounds })) placed.push(span);
    from = to;
  }
  return placed;
}

const middleOf = ({ ts, endTs }: Span) => (ts + endTs) / 2;

/** What of a word lies in the piece of time that has its middle. */
function clipped(word: HeardWord, bounds: TimeAxis): readonly HeardWord[] {
  const middle = middleOf(word);
  const bound = bounds.find(({ ts, endTs }) => middle >= ts && middle <= endTs);
  if (!bound) return [];
  return [{ ...word, ts: Math.max(word.ts, bound.ts), endTs: Math.min(word.endTs, bound.endTs) }];
}

/** Times that words have by themselves, as many as keep the order of the words. */
function knownSpans(
  words: readonly WrittenWord[],
  heard: readonly HeardWord[],
  bounds: TimeAxis,
): readonly (Span | undefined)[] {
  const spans = words.map(({ span }) => (span && isWithin(span, bounds) ? span : undefined));
  const keys = words.map(({ key }) => key);
  for (const { left, right } of pairWords(
    keys,
    heard.map(({ key }) => key),
  )) {
    if (keys[left] !== '') spans[left] ??= heard[right]!;
  }
  const timed = [...spans.keys()].filter(index => spans[index]);
  const rise = longestRise(timed.map(index => spans[index]!.ts)).map(at => timed[at]!);
  const known: (Span | undefined)[] = words.map(() => undefined);
  for (const [at, index] of rise.entries()) {
    const { ts, endTs } = spans[index]!;
    const next = rise[at + 1];
    known[index] = { ts, endTs: next === undefined ? endTs : Math.min(endTs, spans[next]!.ts) };
  }
  return known;
}

function isWithin({ ts, endTs }: Span, bounds: TimeAxis): boolean {
  return ts <= endTs && bounds.some(bound => ts >= bound.ts && endTs <= bound.endTs);
}

/** Words in order of time, none over another. */
function inOrder(heard: readonly HeardWord[]): TimeAxis {
  let reached = 0;
  return heard
    .toSorted((one, other) => one.ts - other.ts)
    .map(({ ts, endTs }) => {
      const from = Math.max(ts, reached);
      reached = Math.max(from, endTs);
      return { ts: from, endTs: reached };
    });
}

interface Gap {
  readonly gap: Span;
  /** What was heard in it. */
  readonly during: TimeAxis;
  /** Only what comes after it is known. */
  readonly isHead: boolean;
  readonly bounds: TimeAxis;
}

/** Times for words between two whose times are known. */
function fill(words: readonly WrittenWord[], { gap, during, isHead, bounds }: Gap): readonly Span[] {
  if (during.length === words.length) return during;
  // What has no letters takes a moment, too.
  const weights = words.map(({ letters }) => Math.max(1, letters));
  const seconds = SECONDS_PER_LETTER * weights.reduce((sum, weight) => sum + weight, 0);
  if (lengthOf(during) >= LEAST_SHARE * seconds) return layOut(weights, during);
  const free = between(bounds, gap);
  if (free.length === 0) return words.map(() => ({ ts: gap.ts, endTs: gap.ts }));
  return layOut(weights, isHead ? endOf(free, seconds) : beginningOf(free, seconds));
}
