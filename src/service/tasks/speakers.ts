/** From one moment to another, in seconds. */
export interface Span {
  readonly ts: number;
  readonly endTs: number;
}

export interface SpokenSpan extends Span {
  readonly speaker: number;
}

/**
 * Who says each of some words, in order: whoever speaks during most of it; where nobody does, whoever speaks nearest to
 * it. Without turns it is speaker 0.
 */
export function speakersOf(words: readonly Span[], turns: readonly SpokenSpan[]): readonly number[] {
  const coming = [...turns].sort((one, other) => one.ts - other.ts);
  let next = 0;
  /** Turns that the last word was in. */
  let open: SpokenSpan[] = [];
  let ended: SpokenSpan | undefined;
  return words.map(word => {
    while (next < coming.length && coming[next]!.ts < word.endTs) open.push(coming[next++]!);
    for (const turn of open) {
      if (turn.endTs <= word.ts && turn.endTs >= (ended?.endTs ?? 0)) ended = turn;
    }
    open = open.filter(turn => turn.endTs > word.ts);
    const during = open.reduce(
      (best: SpokenSpan | undefined, turn) =>
        best && common(best, word) >= common(turn, word) ? best : turn,
      undefined,
    );
    return (during ?? nearest(word, ended, coming[next]))?.speaker ?? 0;
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
