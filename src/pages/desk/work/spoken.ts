import type { DeskTurn } from '../../../protocol/desk.ts';
import type { Span } from '../player/spans.ts';

/** Returns the number of marks of inaudible speech. */
export function countInaudible(turns: readonly DeskTurn[]): number {
  return turns.reduce((sum, { text }) => sum + (text.match(/[[<]inaudible[\]>]/gi)?.length ?? 0), 0);
}

export const hasText = (turns: readonly DeskTurn[]) => turns.some(({ text }) => text.trim() !== '');

/** Seconds after the last word of a repeated part, so that its end is heard. */
const AFTER_SECONDS = 0.2;

/**
 * Returns the part of the audio in which the text between two positions is spoken; positions count from the start of the
 * first turn, with one for each border of turns.
 */
export function spokenSpan(turns: readonly DeskTurn[], from: number, to: number): Span | undefined {
  let offset = 0;
  const spoken: (readonly [number, number])[] = [];
  for (const { text, words } of turns) {
    for (const [start, end, ts, endTs] of words) {
      if (offset + end > from && offset + start < to) spoken.push([ts, endTs]);
    }
    offset += text.length + 1;
  }
  const [first, last] = [spoken[0], spoken.at(-1)];
  return first && last && { start: first[0], end: Math.max(last[1], first[0]) + AFTER_SECONDS };
}

/** Returns the three longest turns of a speaker, the longest first. */
export function longestSpans(turns: readonly DeskTurn[], speaker: number): readonly Span[] {
  return turns
    .filter(turn => turn.speaker === speaker)
    .flatMap(turn => spokenSpan([turn], 0, Number.POSITIVE_INFINITY) ?? [])
    .sort((one, other) => other.end - other.start - (one.end - one.start))
    .slice(0, 3);
}
