import { expect, test } from 'vitest';
import { type Listener, TextSearch, type TextWindow } from '../../../src/engines/alignment/textSearch.ts';

const RATE = 16_000;
const TICK = 160;

/** Speech whose samples are the words that are said, half a second each; a negative one is no word of the text. */
function speech(words: readonly number[]): Int16Array {
  return Int16Array.from(
    { length: (words.length * RATE) / 2 },
    (_, at) => words[Math.floor((2 * at) / RATE)]!,
  );
}

function createListener(): Listener & { readonly looked: TextWindow[]; readonly followed: number[] } {
  const looked: TextWindow[] = [];
  const followed: number[] = [];
  const wordsIn = (samples: Int16Array) =>
    Array.from({ length: (2 * samples.length) / RATE }, (_, index) => ({
      word: samples[(index * RATE) / 2]!,
      startFrame: (index * RATE) / 2,
      endFrame: (index * RATE) / 2 + 30 * TICK,
    }));
  return {
    looked,
    followed,
    follow(from, to, samples) {
      followed.push(from);
      const words = wordsIn(samples);
      return words.every(({ word }, index) => word === from + index && word < to) ? words : [];
    },
    look(window, samples) {
      looked.push(window);
      return wordsIn(samples).map(({ word, ...times }) => {
        const isThere = word >= window.from && word < window.to;
        return { ...(isThere && { word }), ...times, phones: 4, misfit: 1 };
      });
    },
  };
}

function search(count: number, ...pieces: readonly (readonly number[])[]) {
  const listener = createListener();
  const searched = new TextSearch(count, listener);
  let startFrame = 0;
  for (const piece of pieces) {
    const samples = speech(piece);
    searched.take({ startFrame, samples });
    startFrame += samples.length;
  }
  return { ...listener, found: searched.found() };
}

const numbers = (from: number, to: number) => Array.from({ length: to - from }, (_, index) => from + index);

test('speech that says its text is followed, and nothing else is looked for', () => {
  const { found, looked, followed } = search(12, numbers(0, 4), numbers(4, 8), numbers(8, 12));
  expect(found.map(({ word }) => word)).toEqual(numbers(0, 12));
  expect(found.map(({ startFrame }) => startFrame)).toEqual(numbers(0, 12).map(word => (word * RATE) / 2));
  expect(followed).toEqual([0, 4, 8]);
  expect(looked).toEqual([]);
});

test('speech that differs is looked for nearby, and followed again after it', () => {
  const { found, looked, followed } = search(300, [0, 1, -1, 2, 3, 4], numbers(5, 9));
  expect(found.map(({ word }) => word)).toEqual(numbers(0, 9));
  expect(looked).toHaveLength(1);
  expect(looked[0]!.to).toBeLessThan(60);
  expect(followed).toEqual([0, 5]);
});

test('speech that goes on far ahead is found there', () => {
  const { found } = search(3000, numbers(0, 4), numbers(100, 110), numbers(110, 114));
  expect(found.map(({ word }) => word)).toEqual([...numbers(0, 4), ...numbers(100, 114)]);
});

test('what was missed is found once it is known what comes after it', () => {
  const { found } = search(3000, numbers(900, 912), numbers(912, 924), numbers(924, 936), numbers(936, 948));
  expect(found.map(({ word }) => word)).toEqual(numbers(900, 948));
});

test('however long nothing is found, no more of the text is looked for at once', () => {
  const { looked, found } = search(20_000, ...numbers(0, 40).map(() => [-1, -1, -1]));
  expect(found).toEqual([]);
  expect(Math.max(...looked.map(({ from, to }) => to - from))).toBeLessThanOrEqual(1100);
  expect(new Set(looked.map(({ from }) => from)).size).toBeGreaterThan(10);
});

test('what was missed long before a late find is looked for no further than the bound', () => {
  const nonsense = numbers(0, 20).map(() => [-1, -1, -1]);
  const far = numbers(15_000, 15_012);
  const { looked, found } = search(20_000, ...nonsense, ...numbers(0, 20).map(() => far));
  expect(found.map(({ word }) => word)).toEqual(far);
  expect(Math.max(...looked.map(({ from, to }) => to - from))).toBeLessThanOrEqual(1100);
});

test('words that are heard twice, or out of order, are found once and in order', () => {
  const { found } = search(100, numbers(0, 6), numbers(3, 9), numbers(9, 12));
  const words = found.map(({ word }) => word);
  expect(words).toEqual([...new Set(words)].toSorted((one, other) => one - other));
  expect(words.length).toBeGreaterThanOrEqual(11);
});

test('a text without words that can be said is not looked for', () => {
  const { followed, looked } = search(0, [-1, -1]);
  expect([...followed, ...looked]).toEqual([]);
});
