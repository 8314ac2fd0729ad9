import { describe, expect, test } from 'vitest';
import { acceptedRuns, type HeardSound } from '../../../src/engines/alignment/heardRuns.ts';
import { soundsAsSaid } from '../../../src/engines/alignment/soundsAsSaid.ts';

const TICK = 160;

interface Heard {
  readonly word?: number;
  readonly phones?: number;
  readonly misfit?: number;
  readonly ticks?: number;
}

/** One after the other. */
function sounds(...heard: readonly Heard[]): readonly HeardSound[] {
  let at = 0;
  return heard.map(({ ticks = 30, misfit = 1, phones = 4, ...word }) => {
    const startFrame = at;
    at += ticks * TICK;
    return { ...word, phones, misfit, startFrame, endFrame: at };
  });
}

const accepted = (expected: number, ...heard: readonly Heard[]) =>
  acceptedRuns(sounds(...heard), expected).map(({ word }) => word);

describe('words are believed', () => {
  test('that follow one another, over some that are left out', () => {
    expect(accepted(3, { word: 3 }, { word: 4 }, { word: 6 })).toEqual([3, 4, 6]);
  });

  test('far from where they are expected when there are enough of them', () => {
    expect(accepted(0, { word: 90 })).toEqual([]);
    expect(accepted(0, { word: 90 }, { word: 91 }, { word: 92 }, { word: 93 })).toEqual([90, 91, 92, 93]);
  });

  test('when they are short only with nothing else beside them', () => {
    const short = { word: 5, phones: 2 };
    expect(accepted(5, short)).toEqual([5]);
    expect(accepted(5, {}, short)).toEqual([]);
    expect(accepted(5, short, {})).toEqual([]);
  });

  test('unless they are unlike what is heard, alone or together', () => {
    expect(accepted(0, { word: 0 }, { word: 1, misfit: 6 }, { word: 2 })).toEqual([0, 2]);
    const unlike = { misfit: 3.5 };
    expect(accepted(0, { word: 0, ...unlike }, { word: 1, ...unlike }, { word: 2, ...unlike })).toEqual([]);
  });

  test('unless nobody takes so long to say them', () => {
    expect(accepted(0, { word: 0 }, { word: 1, ticks: 600, misfit: 0.2 })).toEqual([0]);
  });
});

describe('what is heard along the text alone', () => {
  test('is as said when nothing in it is unlike speech', () => {
    expect(soundsAsSaid(sounds({ word: 0 }, {}, { word: 1, misfit: 2.4, ticks: 10 }))).toBe(true);
  });

  test.for([
    ['a word is unlike it', [{ word: 0 }, { word: 1, misfit: 5 }]],
    ['a pause is full of something', [{ word: 0 }, { misfit: 4, ticks: 40 }, { word: 1 }]],
    ['many words are somewhat unlike it', new Array(20).fill(0).map((_, word) => ({ word, misfit: 2.9 }))],
    ['a word goes on and on', [{ word: 0, ticks: 600, misfit: 0.3 }]],
  ] as const)('is not as said when %s', ([, heard]) => {
    expect(soundsAsSaid(sounds(...heard))).toBe(false);
  });
});
