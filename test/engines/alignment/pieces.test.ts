import { describe, expect, test } from 'vitest';
import { pieceGrammar } from '../../../src/engines/alignment/pieceGrammar.ts';
import { piecesOf } from '../../../src/engines/alignment/pieces.ts';

const RATE = 16_000;
/** Heard words, half a second each, from some second on. */
const heardFrom = (second: number, count: number) =>
  Array.from({ length: count }, (_, index) => ({
    value: 'heard',
    startFrame: (second + index / 2) * RATE,
    endFrame: (second + (index + 1) / 2) * RATE,
  }));
const match = (word: number, from: number) => ({ word, from, to: from + 1 });
const TWO = [...heardFrom(2, 2), ...heardFrom(10, 2)];
const UTTERANCES = [
  { from: 0, to: 2 },
  { from: 2, to: 4 },
];

describe('an utterance', () => {
  test('is a piece with a margin when it matches words of the text', () => {
    const pieces = piecesOf(TWO, UTTERANCES, [match(0, 0), match(1, 1)], 2);
    expect(pieces).toEqual([
      {
        startFrame: 1.6 * RATE,
        endFrame: 3.4 * RATE,
        segments: [
          { type: 'matched', word: 0, heard: { from: 0, to: 1 } },
          { type: 'matched', word: 1, heard: { from: 1, to: 2 } },
        ],
      },
    ]);
  });

  test('is searched further when words are missing, but not into the next one', () => {
    const [first, second] = piecesOf(TWO, UTTERANCES, [match(0, 1), match(9, 2)], 10);
    expect(first!.endFrame).toBe(6 * RATE);
    expect(second!.startFrame).toBe(7 * RATE);
    const close = [...heardFrom(2, 2), ...heardFrom(3.5, 2)];
    const [third, fourth] = piecesOf(close, UTTERANCES, [match(0, 1), match(9, 2)], 10);
    expect(third!.endFrame).toBe(3.5 * RATE);
    expect(fourth!.startFrame).toBe(3 * RATE);
  });

  test('has the recognised words beside those of the text where both differ', () => {
    const [piece] = piecesOf(heardFrom(2, 4), [{ from: 0, to: 4 }], [match(3, 0), match(5, 3)], 6);
    expect(piece!.segments.slice(1)).toEqual([
      { type: 'matched', word: 3, heard: { from: 0, to: 1 } },
      { type: 'differing', text: [4], heard: [1, 2] },
      { type: 'matched', word: 5, heard: { from: 3, to: 4 } },
    ]);
  });

  test('has no more words of the text than can be spoken, those next to the matches', () => {
    const [piece] = piecesOf(heardFrom(5, 2), [{ from: 0, to: 2 }], [match(500, 0), match(700, 1)], 1000);
    const [before, first, second, after] = piece!.segments as readonly { text?: readonly number[] }[];
    expect([first, second]).toMatchObject([{ word: 500 }, { word: 700 }]);
    expect(before!.text).toEqual(Array.from({ length: 24 }, (_, index) => 476 + index));
    expect(after!.text).toEqual(Array.from({ length: 24 }, (_, index) => 701 + index));
  });
});

describe('the grammar of a piece', () => {
  const labels = { text: (word: number) => `t${word}`, heard: (word: number) => `h${word}` };
  const ways = (segments: Parameters<typeof pieceGrammar>[0]) => {
    const { start, end, arcs } = pieceGrammar(segments, labels);
    const from = (state: number): string[] =>
      state === end
        ? ['']
        : arcs
            .filter(arc => arc.from === state)
            .flatMap(({ to, label }) => from(to).map(rest => [label, rest].filter(Boolean).join(' ')));
    return [...new Set(from(start))].toSorted();
  };
  const matched = { type: 'matched', word: 1, heard: { from: 1, to: 2 } } as const;

  test('contains the matches', () => {
    expect(ways([matched, { ...matched, word: 2 }])).toEqual(['t1 t2']);
  });

  test('contains either word where both have equally many', () => {
    const differing = { type: 'differing', text: [2, 3], heard: [2, 3] } as const;
    expect(ways([matched, differing])).toEqual(['t1 h2 h3', 't1 h2 t3', 't1 t2 h3', 't1 t2 t3']);
  });

  test('contains the recognised words, or some of the text, where the counts differ', () => {
    expect(ways([{ type: 'differing', text: [2], heard: [] }])).toEqual(['', 't2']);
    expect(ways([{ type: 'differing', text: [2, 3], heard: [5] }])).toEqual(['', 'h5', 't2', 't2 t3', 't3']);
    expect(ways([{ type: 'differing', text: [], heard: [5] }])).toEqual(['h5']);
  });
});
