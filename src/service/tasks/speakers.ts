/** A span of time in seconds. */
export interface Span {
  readonly ts: number;
  readonly endTs: number;
}

export interface SpokenSpan extends Span {
  readonly speaker: number;
}

/**
 * Returns the speaker of each word, in order: the main speaker during it, else the nearest one; speaker 0 without turns.
 */
export function speakersOf(words: readonly Span[], turns: readonly SpokenSpan[]): readonly number[] {
  /** Turns that begin later, the next one last. */
  const coming = turns.toSorted((one, other) => one.ts - other.ts).reverse();
  /** Turns that overlap the last word. */
  let open: SpokenSpan[] = [];
  let ended: SpokenSpan | undefined;
  return words.map(word => {
    for (let turn = coming.at(-1); turn && turn.ts < word.endTs; turn = coming.at(-1)) {
      open.push(turn);
      coming.pop();
    }
    for (const turn of open) {
      if (turn.endTs <= word.ts && turn.endTs >= (ended?.endTs ?? 0)) ended = turn;
    }
    open = open.filter(turn => turn.endTs > word.ts);
    const during = open.reduce(
      (best: SpokenSpan | undefined, turn) =>
        best && common(best, word) >= common(turn, word) ? best : turn,
      undefined,
    );
    return (during ?? nearest(word, ended, coming.at(-1)))?.speaker ?? 0;
  });
}

function common(turn: Span, word: Span): number {
  return Math.min(turn.endTs, word.endTs) - Math.max(turn.ts, word.ts);
}

function nearest(
  word: Span,
  before: SpokenSpan | undefined,
  after: SpokenSpan | undefined,
): SpokenSpan | undefined {
  if (!before || !after) return before ?? after;
  return after.ts - word.endTs < word.ts - before.endTs ? after : before;
}

/** Seconds below which words within another speaker's sentence are no turn: the times of speaker changes are no more exact. */
const LEAST_TURN_SECONDS = 0.5;
/** Seconds of a word that may lie outside of a turn at either end. */
const EDGE_SECONDS = 0.05;

/**
 * Returns the speakers of the words of one utterance without implausible changes: those for a word or two within the
 * sentence of one speaker, and those for a single word that only partly overlaps the turns of its speaker.
 *
 * @param speakers speaker of each word according to the turns
 */
export function steadySpeakers(
  words: readonly Span[],
  speakers: readonly number[],
  turns: readonly SpokenSpan[],
): readonly number[] {
  const steady: number[] = [];
  for (const { from, to, value: own } of runsOf(speakers)) {
    const [before, after] = [steady.at(-1), speakers[to]];
    const isShort = words[to - 1]!.endTs - words[from]!.ts < LEAST_TURN_SECONDS;
    const isWithin = before !== undefined && before === after;
    const isDoubtful = to - from === 1 && !isWholly(words[from]!, own, turns);
    const speaker = isShort && (isWithin || isDoubtful) ? (before ?? after ?? own) : own;
    for (let index = from; index < to; index++) steady.push(speaker);
  }
  return steady;
}

function isWholly(word: Span, speaker: number, turns: readonly SpokenSpan[]): boolean {
  return turns.some(
    turn =>
      turn.speaker === speaker &&
      turn.ts <= word.ts + EDGE_SECONDS &&
      turn.endTs >= word.endTs - EDGE_SECONDS,
  );
}

/** A range of indices, `to` excluded, with the same value. */
export interface Run {
  readonly value: number;
  readonly from: number;
  readonly to: number;
}

/** Returns the ranges of equal consecutive values, in order. */
export function runsOf(values: readonly number[]): readonly Run[] {
  const runs: { value: number; from: number; to: number }[] = [];
  for (const [index, value] of values.entries()) {
    const last = runs.at(-1);
    if (last?.value === value) last.to = index + 1;
    else runs.push({ value, from: index, to: index + 1 });
  }
  return runs;
}
