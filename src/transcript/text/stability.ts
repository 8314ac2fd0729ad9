import type { LiveEvent } from '../model/events.ts';
import { channelOf } from '../model/events.ts';
import { commonPrefixLength, wordKey, wordTokensOf } from './tokens.ts';

/** The change by one event in the text shown before it. */
export interface StabilityStep {
  /** Words that were removed or replaced. */
  readonly unstableWords: number;
  /** Set for a final, which ends a segment. */
  readonly final?: {
    readonly words: number;
    /** True when any word of the segment was removed or replaced, in this step or before. */
    readonly isRevised: boolean;
  };
}

/** Stability of the text shown during a session. */
export interface Stability {
  readonly unstableWords: number;
  readonly finalWords: number;
  /** Unstable partial word ratio: unstable words / words in finals; 0 when there are none. */
  readonly upwr: number;
  readonly revisedSegments: number;
  /** Number of finals. */
  readonly segments: number;
  /** Unstable partial segment ratio: segments with an unstable word / segments; 0 when there are none. */
  readonly upsr: number;
}

/**
 * Computes the stability from its steps. Source: Shangguan et al., "Analyzing the Quality and Stability of a Streaming
 * End-to-End On-Device Speech Recognizer", 2020.
 *
 * @example
 * import { stabilityOf } from 'rxscribe/replay';
 *
 * stabilityOf([
 *   { unstableWords: 1 },
 *   { unstableWords: 0, final: { words: 4, isRevised: true } },
 * ]).upwr; // 0.25
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
 * Yields the steps of the raw partials. A word of a partial is unstable if it lies after the prefix shared with the next
 * partial or final of its channel, ignoring case and punctuation. Other events are skipped.
 *
 * @example
 * stabilityOf(partialSteps(events)).upwr;
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
