import type { LiveEvent } from './events.ts';
import { channelOf } from './perChannel.ts';
import { commonPrefixLength, tokensOf, wordKey } from './tokens.ts';

/** What one event changed in what was shown before it. */
export interface StabilityStep {
  /** Words that were taken back, or that others took the place of. */
  readonly unstableWords: number;
  /** The words of a final, with which a segment ends. */
  readonly finalWords?: number;
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
  let revised = false;
  for (const { unstableWords, finalWords } of steps) {
    sum.unstableWords += unstableWords;
    revised ||= unstableWords > 0;
    if (finalWords === undefined) continue;
    sum.finalWords += finalWords;
    sum.segments++;
    if (revised) sum.revisedSegments++;
    revised = false;
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
  const shown = new Map<number, readonly string[]>();
  for (const event of events) {
    if (event.type !== 'partial' && event.type !== 'final') continue;
    const channel = channelOf(event);
    const before = shown.get(channel) ?? [];
    const words = tokensOf(event.elements).map(token => wordKey(token.text));
    const unstableWords = before.length - commonPrefixLength(before, words);
    const isFinal = event.type === 'final';
    shown.set(channel, isFinal ? [] : words);
    yield { unstableWords, ...(isFinal && { finalWords: words.length }) };
  }
}
