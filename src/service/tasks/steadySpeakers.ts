import { runsOf } from './runsOf.ts';
import type { Span, SpokenSpan } from './speakers.ts';

/** Words of less than this are no turn within somebody else's sentence: where speakers change is known no better. */
const LEAST_TURN_SECONDS = 0.5;
/** A turn has a word if it lacks no more of it than this at either end. */
const EDGE_SECONDS = 0.05;

/**
 * The speakers of the words of one utterance without changes that are not to be believed: those for a word or two within
 * the sentence of one speaker, and those for a single word that its speaker's turns have only in part.
 *
 * @param speakers of each word, by the turns
 */
export function steadySpeakers(
  words: readonly Span[],
  speakers: readonly number[],
  turns: readonly SpokenSpan[],
): readonly number[] {
  const steady: number[] = [];
  for (const { from, to } of runsOf(speakers)) {
    const own = speakers[from]!;
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
