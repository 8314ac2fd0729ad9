import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { placeWords, type WrittenWord } from '../../../../src/service/tasks/human/placeWords.ts';
import type { Span } from '../../../../src/service/tasks/speakers.ts';

const written = (text: string): WrittenWord[] =>
  text.split(' ').map(key => ({ speaker: 0, key, letters: key.length }));
const heard = (...words: readonly (readonly [string, number, number])[]) =>
  words.map(([key, ts, endTs]) => ({ key, ts, endTs }));
const ALL = [{ ts: 0, endTs: 100 }];

describe('a written word', () => {
  test('gets the time at which the machine recognised it', () => {
    expect(placeWords(written('it is so'), heard(['it', 1, 2], ['is', 2, 3], ['so', 5, 6]), ALL)).toEqual([
      { ts: 1, endTs: 2 },
      { ts: 2, endTs: 3 },
      { ts: 5, endTs: 6 },
    ]);
  });

  test('gets the time of another word recognised in its place', () => {
    const spans = placeWords(
      written('it was very so'),
      heard(['it', 1, 2], ['is', 2, 3], ['fairy', 4, 5], ['so', 6, 7]),
      ALL,
    );
    expect(spans.slice(1, 3)).toEqual([
      { ts: 2, endTs: 3 },
      { ts: 4, endTs: 5 },
    ]);
  });

  test('gets its share of the time recognised for several words', () => {
    const spans = placeWords(
      written('it is posed so'),
      heard(['it', 0, 1], ['disposed', 1, 2.4], ['so', 3, 4]),
      ALL,
    );
    expect(spans[1]).toEqual({ ts: 1, endTs: 1.4 });
    expect(spans[2]!.ts).toBe(1.4);
    expect(spans[2]!.endTs).toBeCloseTo(2.4);
  });

  test('that was not recognised lies between its neighbours, no longer than it takes to say', () => {
    const [, missed, after] = placeWords(written('it is so'), heard(['it', 1, 2], ['so', 50, 51]), ALL);
    expect(missed).toEqual({ ts: 2, endTs: 2.16 });
    expect(after).toEqual({ ts: 50, endTs: 51 });
    const [, squeezed] = placeWords(written('it is so'), heard(['it', 1, 2], ['so', 2.1, 3]), ALL);
    expect(squeezed!.ts).toBe(2);
    expect(squeezed!.endTs).toBeCloseTo(2.1);
    const [, without] = placeWords(written('it is so'), heard(['it', 1, 2], ['so', 2, 3]), ALL);
    expect(without).toEqual({ ts: 2, endTs: 2 });
  });

  test('before or after all recognised words is adjacent to them', () => {
    const spans = placeWords(written('well it is'), heard(['it', 40, 41]), ALL);
    expect(spans[0]!.ts).toBeCloseTo(39.68);
    expect(spans[0]!.endTs).toBe(40);
    expect(spans[2]).toEqual({ ts: 41, endTs: 41.16 });
  });

  test('without recognised speech follows the previous one at the pace of speech', () => {
    expect(placeWords(written('it is'), [], [{ ts: 10, endTs: Number.POSITIVE_INFINITY }])).toEqual([
      { ts: 10, endTs: 10.16 },
      { ts: 10.16, endTs: 10.32 },
    ]);
  });

  test('keeps a given time that is possible', () => {
    const words = written('it is so');
    const own = { ts: 10, endTs: 11 };
    const times = heard(['it', 1, 2], ['is', 2, 3], ['so', 20, 21]);
    const spans = placeWords(words.with(1, { ...words[1]!, span: own }), times, ALL);
    expect(spans[1]).toEqual(own);
    for (const span of [
      { ts: 99, endTs: 200 },
      { ts: 5, endTs: 4 },
    ]) {
      expect(placeWords(words.with(1, { ...words[1]!, span }), times, ALL)[1]).toEqual({ ts: 2, endTs: 3 });
    }
    // A time that goes back is replaced by those of the others, and of the machine.
    const back = placeWords(words.with(2, { ...words[2]!, span: { ts: 0, endTs: 0.5 } }), times, ALL);
    expect(back[2]).toEqual({ ts: 20, endTs: 21 });
  });

  test('lies within exactly one segment', () => {
    const bounds = [
      { ts: 10, endTs: 12 },
      { ts: 20, endTs: 30 },
    ];
    const times = heard(['out', 1, 2], ['it', 11, 11.9], ['out', 15, 16], ['so', 29.5, 30.4]);
    const spans = placeWords(written('it is out of everywhere so'), times, bounds);
    expect(spans[0]).toEqual({ ts: 11, endTs: 11.9 });
    expect(spans.at(-1)).toEqual({ ts: 29.5, endTs: 30 });
    for (const { ts, endTs } of spans) {
      expect(bounds.some(bound => ts >= bound.ts && endTs <= bound.endTs)).toBe(true);
    }
  });
});

test('words of people who talk at the same time keep their times', () => {
  const words = [
    { key: 'one', letters: 3, speaker: 0, span: { ts: 1, endTs: 2 } },
    { key: 'two', letters: 3, speaker: 0, span: { ts: 2, endTs: 3 } },
    { key: 'three', letters: 5, speaker: 0, span: { ts: 3, endTs: 4 } },
    { key: 'uno', letters: 3, speaker: 1, span: { ts: 1.5, endTs: 2.5 } },
    { key: 'due', letters: 3, speaker: 1, span: { ts: 2.5, endTs: 3.5 } },
    { key: 'four', letters: 4, speaker: 0, span: { ts: 4, endTs: 5 } },
  ];
  expect(placeWords(words, [], ALL)).toEqual(words.map(({ span }) => span));
});

test('times of any words never decrease, and never leave the bounds', () => {
  const key = fc.constantFrom('a', 'b', 'c', 'd', '');
  const time = fc.integer({ min: 0, max: 4000 }).map(hundredths => hundredths / 100);
  const span = fc.tuple(time, time).map(([ts, length]) => ({ ts, endTs: ts + length / 20 }));
  const wild = fc.tuple(time, time).map(([ts, endTs]) => ({ ts, endTs }));
  const words = fc.array(
    fc
      .record({
        speaker: fc.constant(0),
        key,
        letters: fc.nat({ max: 12 }),
        own: fc.option(wild, { nil: undefined, freq: 8 }),
      })
      .map(({ own, ...word }) => ({ ...word, ...(own && { span: own }) })),
    { maxLength: 25 },
  );
  const voices = fc
    .array(fc.tuple(key, span), { maxLength: 25 })
    .map(list => list.map(([key, span]) => ({ key, ...span })));
  const bounds = fc.uniqueArray(time, { minLength: 2, maxLength: 6 }).map(list => {
    const times = list.toSorted((one, other) => one - other);
    const pieces: Span[] = [];
    for (let at = 0; at + 1 < times.length; at += 2) pieces.push({ ts: times[at]!, endTs: times[at + 1]! });
    return pieces;
  });
  fc.assert(
    fc.property(words, voices, bounds, fc.boolean(), (words, voices, bounds, isSorted) => {
      const heard = isSorted ? voices.toSorted((one, other) => one.ts - other.ts) : voices;
      const spans = placeWords(words, heard, bounds);
      expect(spans.length).toBe(words.length);
      let reached = bounds[0]!.ts;
      for (const { ts, endTs } of spans) {
        expect(ts).toBeGreaterThanOrEqual(reached);
        expect(endTs).toBeGreaterThanOrEqual(ts);
        expect(bounds.some(bound => ts >= bound.ts && endTs <= bound.endTs)).toBe(true);
        reached = endTs;
      }
    }),
    { numRuns: 2000 },
  );
});
