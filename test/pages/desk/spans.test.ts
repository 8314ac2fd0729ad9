import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  jump,
  nearestPlayable,
  nextMove,
  outsideOf,
  playableFrom,
  playedBefore,
  playedSeconds,
  type Span,
} from '../../../src/pages/desk/player/spans.ts';

const SPANS: readonly Span[] = [
  { start: 10, end: 20 },
  { start: 30, end: 40 },
];

/** Spans in order, without overlap, with whole seconds. */
const spans = fc
  .array(fc.tuple(fc.integer({ min: 1, max: 30 }), fc.integer({ min: 1, max: 30 })), {
    minLength: 1,
    maxLength: 8,
  })
  .map(pairs => {
    let end = 0;
    return pairs.map(([gap, length]): Span => {
      const start = end + gap;
      end = start + length;
      return { start, end };
    });
  });
const seconds = fc.integer({ min: 0, max: 600 });

describe('playing', () => {
  test.each([
    [0, { to: 10 }],
    [10, undefined],
    [19.9, undefined],
    [19.99, { to: 30 }],
    [20, { to: 30 }],
    [25, { to: 30 }],
    [29.99, undefined],
    [35, undefined],
    [40, 'stop'],
    [90, 'stop'],
  ])('at %d s skips what is outside', (time, move) => {
    expect(nextMove(SPANS, time)).toEqual(move);
  });

  test('goes back to the start of a loop, also across a gap', () => {
    const loop = { start: 18, end: 31 };
    expect(nextMove(SPANS, 18, loop)).toBeUndefined();
    expect(nextMove(SPANS, 20, loop)).toEqual({ to: 30 });
    expect(nextMove(SPANS, 31, loop)).toEqual({ to: 18 });
    expect(nextMove(SPANS, 40, { start: 35, end: 40.2 })).toEqual({ to: 35 });
  });

  test('reaches every second that is wanted, once, and no other', () => {
    fc.assert(
      fc.property(spans, some => {
        const heard: number[] = [];
        for (let time = 0; heard.length < 1000; ) {
          const move = nextMove(some, time);
          if (move === 'stop') break;
          if (move) time = move.to;
          else heard.push(time++);
        }
        const wanted = some.flatMap(({ start, end }) =>
          Array.from({ length: end - start }, (_, n) => start + n),
        );
        expect(heard).toEqual(wanted);
      }),
    );
  });
});

describe('a place', () => {
  test('is moved into a span', () => {
    expect([0, 15, 25, 50].map(time => playableFrom(SPANS, time))).toEqual([10, 15, 30, undefined]);
    expect(nearestPlayable(SPANS, 50)).toBe(40);
    expect(nearestPlayable([], 50)).toBe(0);
  });

  test.each([
    [15, 3, 18],
    [19, 3, 32],
    [31, -3, 18],
    [30, -3, 17],
    [32, -2, 30],
    [11, -3, 10],
    [25, -3, 17],
    [39, 3, 40],
    [0, 3, 13],
  ])('from %d s, %d s of played audio away, is %d s', (time, by, expected) => {
    expect(jump(SPANS, time, by)).toBeCloseTo(expected, 9);
  });

  test('is the same after a jump there and back, unless an end is reached', () => {
    fc.assert(
      fc.property(spans, seconds, fc.integer({ min: 1, max: 40 }), (some, time, by) => {
        const from = playableFrom(some, time);
        fc.pre(from !== undefined && playedBefore(some, from) + by < playedSeconds(some));
        expect(playedBefore(some, jump(some, jump(some, from, by), -by))).toBe(playedBefore(some, from));
      }),
    );
  });

  test('has so many seconds of wanted audio before it', () => {
    expect([0, 15, 25, 35, 99].map(time => playedBefore(SPANS, time))).toEqual([0, 5, 10, 15, 20]);
    expect(playedSeconds(SPANS)).toBe(20);
  });
});

test('audio outside of the spans is dimmed', () => {
  expect(outsideOf(SPANS, 60)).toEqual([
    { start: 0, end: 10 },
    { start: 20, end: 30 },
    { start: 40, end: 60 },
  ]);
  expect(outsideOf([{ start: 0, end: 60 }], 60)).toEqual([]);
});
