import type { LiveEvent } from '../../transcript/model/events.ts';
import type { StabilityStep } from '../../transcript/text/stability.ts';
import { commonPrefixLength, wordKey, wordTokensOf } from '../../transcript/text/tokens.ts';
import type { StabilizerOptions } from './agreement.ts';
import { initialStabilizerState, stabilize } from './stabilizer.ts';

/**
 * Yields the steps of the stabilised captions, for `stabilityOf`: words removed from the tail, and corrected words. Compare them
 * with `partialSteps` to measure the effect of the stabiliser.
 *
 * @example
 * stabilityOf(shownSteps(events)).upwr <= stabilityOf(partialSteps(events)).upwr; // the stabiliser helps
 */
export function* shownSteps(
  events: Iterable<LiveEvent>,
  options: StabilizerOptions = {},
): Generator<StabilityStep> {
  let state = initialStabilizerState;
  let tail: readonly string[] = [];
  let isRevised = false;
  for (const event of events) {
    const step = stabilize(state, event, options);
    if (step.state === state) continue;
    state = step.state;
    const added = step.added.filter(word => word.corrects === undefined).map(word => word.text);
    const kept = commonPrefixLength(tail.map(wordKey), [...added, ...step.tail].map(wordKey));
    const corrections = step.added.length - added.length;
    const unstableWords = tail.length - kept + corrections;
    tail = step.tail;
    isRevised ||= unstableWords > 0;
    if (event.type !== 'final') yield { unstableWords };
    else {
      yield { unstableWords, final: { words: wordTokensOf(event.elements).length, isRevised } };
      isRevised = false;
    }
  }
}
