import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  type FrameRange,
  isSameRange,
  isWithin,
  joinRanges,
  rangesWithout,
  rangeWithout,
  sharedRange,
  sharedRanges,
} from '../../../src/audio/format/frameRange.ts';

const MAX = 30;
/** Some are empty, some the wrong way round. */
const range = fc.record({ startFrame: fc.nat(MAX), endFrame: fc.nat(MAX) });
const ranges = fc.array(range, { maxLength: 6 });

const framesOf = (list: readonly FrameRange[]) =>
  Array.from({ length: MAX }, (_, frame) =>
    list.some(({ startFrame, endFrame }) => startFrame <= frame && frame < endFrame),
  );

/** In order, none empty, none that touches another. */
function isTidy(list: readonly FrameRange[]): boolean {
  return list.every(
    ({ startFrame, endFrame }, at) =>
      startFrame < endFrame && (at === 0 || list[at - 1]!.endFrame < startFrame),
  );
}

describe('ranges of frames', () => {
  test('joined have the same frames', () => {
    fc.assert(
      fc.property(ranges, list => {
        const joined = joinRanges(list);
        expect(framesOf(joined)).toEqual(framesOf(list));
        expect(isTidy(joined)).toBe(true);
      }),
    );
  });

  test('minus other ranges are the frames that no other range has', () => {
    fc.assert(
      fc.property(ranges, ranges, (list, taken) => {
        const left = rangesWithout(list, taken);
        const gone = framesOf(taken);
        expect(framesOf(left)).toEqual(framesOf(list).map((has, frame) => has && !gone[frame]));
        expect(isTidy(left)).toBe(true);
      }),
      { numRuns: 1000 },
    );
  });

  test('share the frames that both have', () => {
    fc.assert(
      fc.property(ranges, ranges, (list, others) => {
        const shared = sharedRanges(list, others);
        const there = framesOf(others);
        expect(framesOf(shared)).toEqual(framesOf(list).map((has, frame) => has && there[frame]));
        expect(isTidy(shared)).toBe(true);
      }),
      { numRuns: 1000 },
    );
  });

  test('give the same result one by one and all at once', () => {
    fc.assert(
      fc.property(range, range, (one, other) => {
        const shared = sharedRange(one, other);
        expect(shared ? [shared] : []).toEqual(sharedRanges([one], [other]));
        expect(rangeWithout(one, [other])).toEqual(rangesWithout([one], [other]));
      }),
      { numRuns: 1000 },
    );
  });

  test('are the same, or one in the other', () => {
    const whole = { startFrame: 2, endFrame: 9 };
    expect(isSameRange(whole, { ...whole })).toBe(true);
    expect(isSameRange(whole, { ...whole, endFrame: 8 })).toBe(false);
    expect(isWithin({ startFrame: 2, endFrame: 8 }, whole)).toBe(true);
    expect(isWithin(whole, { startFrame: 2, endFrame: 8 })).toBe(false);
  });
});
