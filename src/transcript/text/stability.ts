import type { LiveEvent } from '../model/events.ts';
import { channelOf } from '../model/perChannel.ts';
import { commonPrefixLength, wordKey, wordTokensOf } from './tokens.ts';

/** What one event changed in what was shown before it. */
export interface StabilityStep {
  /** Words that were taken back, or that others took the place of. */
  readonly unstableWords: number;
  /** Of a final, with which a segment ends. */
  readonly final?: {
    readonly words: number;
    /** Something of the segment was taken back, with this step or before. */
    readonly isRevised: boolean;
  };
}

/** How much of what was shown was taken back. */
export interface Stability {
  readonly unstableWords: number;
  readonly finalWords: number;
  /** Unstable partial word ratio: unstable words / words in finals; 0 when there are none. */
  readonly upwr: number;
  readonly revisedSegments: number;
  /** Finals. */
  readonly segments: number;
  /** Unstable partial segment ratio: segments with an unstable word / segments; 0 when there are none. */
  readonly upsr: number;
}

/**
 * Sums up steps (Shangguan et al., "Analyzing the Quality and Stability of a Streaming End-to-End On-Device Speech
 * Recognizer", 2020).
 *
 * @example
 * stabilityOf(partialSteps(events)).upwr // 0.4: four words taken back for ten that stayed
 */
export function stabilityOf(steps: Iterable<StabilityStep>): Stability {
  const sum = { unstableWords: 0, finalWords: 0, revisedSegments: 0, segments: 0 };
  for (const { unstableWords, final } of steps) {
    sum.unstableWords += unstableWords;
    if (!final) continue;
    sum.finalWords += final.words;
    sum.segments++;
    if (final.isRevised) sum.revisedSegments++;
  }
  return {
    ...sum,
    upwr: sum.unstableWords / Math.max(1, sum.finalWords),
    upsr: sum.revisedSegments / Math.max(1, sum.segments),
  };
}

/**
 * The steps of the raw partials: of each, the words from the first on that the next partial or the final of its channel
 * does not have in their place. Case and punctuation do not count. Holes and what is known of the past are passed over.
 */
export function* partialSteps(events: Iterable<LiveEvent>): Generator<StabilityStep> {
  const open = new Map<number, { readonly words: readonly string[]; readonly isRevised: boolean }>();
  for (const event of events) {
    if (event.type !== 'partial' && event.type !== 'final') continue;
    const channel = channelOf(event);
    const before = open.get(channel) ?? { words: [], isRevised: false };
    const words = wordTokensOf(event.elements).map(token => wordKey(token.text));
    const unstableWords = before.words.length - commonPrefixLength(before.words, words);
    const isRevised = before.isRevised || unstableWords > 0;
    if (event.type === 'partial') {
      open.set(channel, { words, isRevised });
      yield { unstableWords };
    } else {
      open.delete(channel);
      yield { unstableWords, final: { words: words.length, isRevised } };
    }
  }
}
