import type { Names } from '../../transcript/merge/withNames.ts';
import { commonPrefixLength } from '../../transcript/text/tokens.ts';
import { type HypothesisWord, keyOf } from './captionWord.ts';

/** Options of the stabiliser. */
export interface StabilizerOptions {
  /** Consecutive partials that must agree on a word and all before it, for it to be stable. Default 3. */
  readonly agreePartials?: number;
  /** Milliseconds of audio over which partials must agree on a word, as an alternative. Default 500. */
  readonly agreeMs?: number;
  /** Words at the end of a partial that are never stable. Default 1. */
  readonly holdBackWords?: number;
  /** Consecutive partials that must agree on a word and all before it, for it to be in the tail. Default 2. */
  readonly tailPartials?: number;
  /** Names that stand before the turns of speakers and channels. With names of channels, another channel opens a turn. */
  readonly names?: Names;
  /** ISO 639-1 code, for capitals and for the words that are worth a correction. Default `en`. */
  readonly language?: string;
}

/**
 * Defaults of {@link StabilizerOptions}. With partials each 0.4 s, a word is shown for good after three of them, a median of 1.0 s
 * after its end, and 5 % of the shown words are wrong (`npm run bench -- captions`); after two partials, 0.7 s and 9 %.
 */
export const STABILIZER_DEFAULTS = {
  agreePartials: 3,
  agreeMs: 500,
  holdBackWords: 1,
  tailPartials: 2,
  language: 'en',
} as const satisfies StabilizerOptions;

/** A word of the hypothesis that is not shown. */
export interface PendingWord extends HypothesisWord {
  /** Consecutive partials that had it. */
  readonly partials: number;
  /** Seconds of audio at the first of these partials. */
  readonly sinceTs: number;
}

/** Counts the partials that agree on each word of a new hypothesis. */
export function agreed(
  before: readonly PendingWord[],
  heard: readonly HypothesisWord[],
  endTs: number,
): readonly PendingWord[] {
  const same = commonPrefixLength(before.map(keyOf), heard.map(keyOf));
  return heard.map((word, index) => {
    const { partials = 0, sinceTs = endTs } = (index < same && before[index]) || {};
    return { ...word, partials: partials + 1, sinceTs };
  });
}

/** Returns the number of stable words at the start of a hypothesis. */
export function stableWords(
  words: readonly PendingWord[],
  endTs: number,
  options: StabilizerOptions,
): number {
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

/** Returns the length of the tail. A confirmed tail grows; a wrong one is only shortened. */
export function tailLength(
  before: { readonly pending: readonly PendingWord[]; readonly tailWords: number },
  stable: number,
  pending: readonly PendingWord[],
  { tailPartials = STABILIZER_DEFAULTS.tailPartials }: StabilizerOptions,
): number {
  const shown = before.pending.slice(stable, Math.max(stable, before.tailWords)).map(keyOf);
  const same = commonPrefixLength(shown, pending.map(keyOf));
  if (same < shown.length) return same;
  const unsure = pending.findIndex(({ partials }) => partials < tailPartials);
  return Math.max(same, unsure < 0 ? pending.length : unsure);
}
