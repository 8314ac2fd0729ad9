import type { SpokenWord } from '../punctuator.ts';
import type { MarkChances } from './sentenceModel.ts';

/** Upper limits of the kinds of pauses, in seconds; the last has none. */
export const PAUSE_LIMITS = [0.1, 0.25, 0.5, 0.9, Infinity] as const;

/** How often each kind of pause stands where there is no mark, a comma, the end of a sentence. */
const SHARES: Readonly<Record<keyof MarkChances, readonly number[]>> = {
  none: [0.85, 0.05, 0.06, 0.03, 0.01],
  comma: [0.45, 0.12, 0.2, 0.15, 0.08],
  end: [0.12, 0.06, 0.17, 0.3, 0.35],
};
/** Below this a pause may be the rounding of an engine. */
const SHORTEST_PAUSE = 0.1;
/** What ends an utterance is at least the fourth kind. */
const END_KIND = 3;

/** What a pause tells of the mark there: the factor of each chance. */
export type PauseEvidence = MarkChances;

const NO_EVIDENCE: PauseEvidence = { none: 1, comma: 1, end: 1 };
/** Of a pause that is long enough to end an utterance. */
export const UTTERANCE_END: PauseEvidence = evidenceOf(share =>
  share.slice(END_KIND).reduce((sum, one) => sum + one),
);

/**
 * What the pause behind each word but the last tells.
 *
 * Engines that give each word the time up to the next show no pause at all; their times are no evidence.
 */
export function pausesBehind(words: readonly SpokenWord[]): readonly PauseEvidence[] {
  const pauses = words.slice(1).map((word, index) => pauseBetween(words[index]!, word));
  const arePauses = pauses.some(pause => pause !== undefined && pause >= SHORTEST_PAUSE);
  return pauses.map(pause => {
    if (!arePauses || pause === undefined) return NO_EVIDENCE;
    const kind = kindOf(pause);
    return evidenceOf(shares => shares[kind]!);
  });
}

/** What the end of an utterance tells: a recogniser ends one at a long pause, whatever times it gives. */
export function pauseAtEnd(last: SpokenWord, next: SpokenWord): PauseEvidence {
  const pause = pauseBetween(last, next);
  const kind = pause === undefined ? 0 : kindOf(pause);
  return kind < END_KIND ? UTTERANCE_END : evidenceOf(shares => shares[kind]!);
}

function pauseBetween({ endTs }: SpokenWord, { ts }: SpokenWord): number | undefined {
  return ts === undefined || endTs === undefined ? undefined : ts - endTs;
}

function kindOf(pause: number): number {
  return PAUSE_LIMITS.findIndex(limit => pause < limit);
}

/** The chances of a mark by text and by pause (Bayes; as if the two depended only on the mark). */
export function weighed(chances: MarkChances, evidence: PauseEvidence): MarkChances {
  const none = chances.none * evidence.none;
  const comma = chances.comma * evidence.comma;
  const end = chances.end * evidence.end;
  const sum = none + comma + end;
  return { none: none / sum, comma: comma / sum, end: end / sum };
}

function evidenceOf(choose: (shares: readonly number[]) => number): PauseEvidence {
  return { none: choose(SHARES.none), comma: choose(SHARES.comma), end: choose(SHARES.end) };
}
