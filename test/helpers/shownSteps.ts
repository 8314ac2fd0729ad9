import type { StabilizerOptions } from '../../src/captions/words/agreement.ts';
import { initialStabilizerState, stabilize } from '../../src/captions/words/stabilizer.ts';
import type { LiveEvent } from '../../src/transcript/model/events.ts';
import type { StabilityStep } from '../../src/transcript/text/stability.ts';
import { commonPrefixLength, wordKey, wordTokensOf } from '../../src/transcript/text/tokens.ts';

/**
 * Yields the steps of the stabilised captions, for `stabilityOf`: words removed from the tail, and words that differ in the
 * final. Compare them with `partialSteps` to measure the effect of the stabiliser.
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
  const shown = new Map<number, string>();
  for (const event of events) {
    const step = stabilize(state, event, options);
    if (step.state === state) continue;
    state = step.state;
    const added = step.added.filter(word => word.corrects === undefined);
    for (const { id, text } of added) shown.set(id, wordKey(text));
    const isWrong = ([id, wording]: readonly [number, string]) =>
      shown.has(id) &&
      !wording
        .split(' ')
        .map(wordKey)
        .includes(shown.get(id) ?? '');
    const next = [...added.map(word => word.text), ...step.tail];
    const kept = commonPrefixLength(tail.map(wordKey), next.map(wordKey));
    const unstableWords = tail.length - kept + [...step.wording].filter(isWrong).length;
    tail = step.tail;
    isRevised ||= unstableWords > 0;
    if (event.type !== 'final') yield { unstableWords };
    else {
      yield { unstableWords, final: { words: wordTokensOf(event.elements).length, isRevised } };
      isRevised = false;
    }
  }
}
