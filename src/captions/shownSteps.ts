import type { LiveEvent } from '../transcript/model/events.ts';
import type { StabilityStep } from '../transcript/text/stability.ts';
import { commonPrefixLength, wordKey, wordTokensOf } from '../transcript/text/tokens.ts';
import { initialStabilizerState, type StabilizerOptions, stabilize } from './stabilizer.ts';

/**
 * The steps of what captions show, for `stabilityOf`: words of the tail that were taken off, and words that were
 * corrected. Next to the measure of the raw partials they tell what the stabiliser is worth.
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
