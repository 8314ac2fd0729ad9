import { describe, expect, it } from 'vitest';
import { partialSteps, stabilityOf } from '../../src/transcript/stability.ts';
import { final, hole, partial, repair, silence } from '../helpers/transcriptEvents.ts';

describe('stabilityOf', () => {
  it('counts words that the next hypothesis does not have in their place', () => {
    const events = [
      partial('the', 0, 1),
      partial('the cat', 0, 2),
      partial('the bat sat', 0, 3),
      final('A bat sat.', 0, 4),
      partial('yes', 4, 5),
      final('Yes, sir.', 4, 6),
    ];
    expect(stabilityOf(partialSteps(events))).toEqual({
      unstableWords: 4,
      finalWords: 5,
      upwr: 4 / 5,
      revisedSegments: 1,
      segments: 2,
      upsr: 1 / 2,
    });
  });

  it('counts words that a partial took back', () => {
    expect(stabilityOf(partialSteps([partial('one two', 0, 1), partial('one', 0, 2)])).unstableWords).toBe(1);
  });

  it('compares partials with those of their own channel', () => {
    const other = { ...partial('yes', 0, 1), channel: 1 };
    const events = [
      partial('one', 0, 1),
      other,
      partial('one two', 0, 2),
      { ...final('Yes.', 0, 1), channel: 1 },
    ];
    expect(stabilityOf(partialSteps(events))).toMatchObject({ unstableWords: 0, finalWords: 1, segments: 1 });
  });

  it('passes over holes, silence and repairs', () => {
    const gap = hole(2, 3);
    const events = [
      partial('one', 0, 1),
      gap,
      silence(3, 4),
      repair(gap, final('two', 2, 3)),
      final('One.', 0, 1),
    ];
    expect(stabilityOf(partialSteps(events))).toMatchObject({ unstableWords: 0, finalWords: 1, segments: 1 });
  });

  it('is 0 where nothing was said', () => {
    expect(stabilityOf([])).toMatchObject({ upwr: 0, upsr: 0, segments: 0 });
    expect(stabilityOf(partialSteps([{ type: 'connected', id: 'x' }, final('', 0, 1)]))).toMatchObject({
      upwr: 0,
      segments: 1,
    });
  });
});
