import { describe, expect, it } from 'vitest';
import type { LiveEvent } from '../../../src/transcript/model/events.ts';
import { partialSteps, stabilityOf } from '../../../src/transcript/text/stability.ts';
import { final, hole, partial, repair, silence } from '../../helpers/transcriptEvents.ts';

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

  it('knows of each channel by itself whether a segment was revised', () => {
    const inOther = (event: LiveEvent) => ({ ...event, channel: 1 }) as LiveEvent;
    const events = [
      partial('one', 0, 1),
      inOther(partial('six', 0, 1)),
      inOther(final('Six.', 0, 1)),
      partial('won', 0, 1),
      final('Won.', 0, 1),
    ];
    expect(stabilityOf(partialSteps(events))).toMatchObject({ revisedSegments: 1, segments: 2 });
    const swapped = [events[0]!, inOther(partial('sex', 0, 1)), ...events.slice(1, 3), final('One.', 0, 1)];
    expect(stabilityOf(partialSteps(swapped))).toMatchObject({ revisedSegments: 1, segments: 2 });
  });

  it('adds up over sessions, whatever one of them leaves open', () => {
    const open = [...partialSteps([partial('one', 0, 1), partial('two', 0, 1)])];
    const well = [...partialSteps([partial('one', 0, 1), final('One.', 0, 1)])];
    expect(stabilityOf([...open, ...well])).toMatchObject({ revisedSegments: 0, unstableWords: 1, upsr: 0 });
  });

  it('passes over marks that stand alone', () => {
    const events = [partial('well yes', 0, 1), final('Well – yes !', 0, 1)];
    expect(stabilityOf(partialSteps(events))).toMatchObject({ unstableWords: 0, finalWords: 2 });
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
