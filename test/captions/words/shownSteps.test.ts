import { describe, expect, it } from 'vitest';
import { partialSteps, stabilityOf } from '../../../src/transcript/text/stability.ts';
import { captionStory } from '../../helpers/captionStory.ts';
import { shownSteps } from '../../helpers/shownSteps.ts';
import { final, partial } from '../../helpers/transcriptEvents.ts';

describe('shownSteps', () => {
  it('counts words that were taken off the tail, and corrections', () => {
    const events = [
      partial('one two', 0, 1),
      partial('one six', 0, 2),
      partial('one six', 0, 3),
      partial('one six ten', 0, 4),
      final('One four ten.', 0, 5),
    ];
    // "two" came off the tail; "six" was shown for good and corrected.
    expect(stabilityOf(shownSteps(events, { agreePartials: 2, tailPartials: 1 }))).toMatchObject({
      unstableWords: 2,
      finalWords: 3,
      upsr: 1,
    });
  });

  it('makes captions steadier than the partials they are made of', () => {
    const raw = stabilityOf(partialSteps(captionStory()));
    const shown = stabilityOf(shownSteps(captionStory()));
    expect(shown.finalWords).toBe(raw.finalWords);
    expect(shown.upwr).toBeLessThan(raw.upwr);
  });
});
