import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type SpokenSpan, speakersOf, steadySpeakers } from '../../../src/service/tasks/speakers.ts';

const word = (ts: number, endTs: number) => ({ ts, endTs });
const turn = (speaker: number, ts: number, endTs: number) => ({ speaker, ts, endTs });

test('a word belongs to the main speaker during it', () => {
  const turns = [turn(1, 0, 1.4), turn(2, 1.4, 3)];
  expect(speakersOf([word(0, 1), word(1, 2), word(2, 3)], turns)).toEqual([1, 2, 2]);
});

test('where turns overlap, the one with more of the word gets it', () => {
  const turns = [turn(0, 0, 10), turn(1, 4, 5.2)];
  expect(speakersOf([word(3, 4), word(4.1, 5), word(5, 6)], turns)).toEqual([0, 0, 0]);
  expect(speakersOf([word(3.5, 5)], [turn(0, 0, 4), turn(1, 3.8, 6)])).toEqual([1]);
});

test('a word outside of all turns belongs to the nearest one', () => {
  const turns = [turn(3, 0, 1), turn(4, 5, 6), turn(5, 9, 10)];
  const words = [word(1.1, 1.5), word(4, 4.5), word(7, 7.4), word(8, 8.9), word(20, 21)];
  expect(speakersOf(words, turns)).toEqual([3, 4, 4, 5, 5]);
  expect(speakersOf([word(0, 1)], [turn(7, 2, 3)])).toEqual([7]);
});

test('without turns it is speaker 0', () => {
  expect(speakersOf([word(0, 1), word(2, 3)], [])).toEqual([0, 0]);
});

test('the result equals that of comparing all turns with all words', () => {
  const spans = fc
    .array(fc.record({ gap: fc.nat({ max: 40 }), length: fc.integer({ min: 1, max: 9 }) }), { maxLength: 30 })
    .map(list => {
      let at = 0;
      return list.map(({ gap, length }) => {
        const ts = at + gap;
        at = ts + length;
        return { ts, endTs: at };
      });
    });
  const turns: fc.Arbitrary<SpokenSpan[]> = fc.array(
    fc
      .record({
        speaker: fc.nat({ max: 4 }),
        ts: fc.nat({ max: 200 }),
        length: fc.integer({ min: 1, max: 60 }),
      })
      .map(({ speaker, ts, length }) => ({ speaker, ts, endTs: ts + length })),
    { maxLength: 20 },
  );
  fc.assert(
    fc.property(spans, turns, (words, turns) => {
      const speakers = speakersOf(words, turns);
      for (const [index, { ts, endTs }] of words.entries()) {
        // The overlap where positive, else the distance as a negative number; the largest wins.
        const nearness = (turn: SpokenSpan) => Math.min(turn.endTs, endTs) - Math.max(turn.ts, ts);
        const best = Math.max(...turns.map(nearness));
        const allowed = turns.filter(turn => nearness(turn) === best).map(({ speaker }) => speaker);
        if (turns.length > 0) expect(allowed).toContain(speakers[index]);
      }
    }),
    { numRuns: 1000 },
  );
});

/** Returns consecutive words of 0.2 s each. */
const words = (count: number) =>
  Array.from({ length: count }, (_, index) => ({ ts: index / 5, endTs: (index + 1) / 5 }));

function heard(count: number, ...turns: ReturnType<typeof turn>[]): readonly number[] {
  return steadySpeakers(words(count), speakersOf(words(count), turns), turns);
}

describe('within an utterance', () => {
  test('one or two words of another speaker within a sentence belong to the sentence', () => {
    expect(heard(6, turn(0, 0, 0.4), turn(1, 0.4, 0.8), turn(0, 0.8, 1.2))).toEqual([0, 0, 0, 0, 0, 0]);
    expect(heard(5, turn(0, 0, 0.4), turn(1, 0.4, 0.6), turn(2, 0.6, 1))).toEqual([0, 0, 1, 2, 2]);
  });

  test('half a second or more of another speaker belongs to that speaker', () => {
    expect(heard(7, turn(0, 0, 0.4), turn(1, 0.4, 1), turn(0, 1, 1.4))).toEqual([0, 0, 1, 1, 1, 0, 0]);
  });

  test('the speaker changes where a turn ends, and where a first or last word is a whole turn', () => {
    expect(heard(4, turn(0, 0, 0.4), turn(1, 0.4, 0.8))).toEqual([0, 0, 1, 1]);
    expect(heard(4, turn(1, 0, 0.2), turn(0, 0.2, 0.8))).toEqual([1, 0, 0, 0]);
    expect(heard(4, turn(0, 0, 0.6), turn(1, 0.6, 0.8))).toEqual([0, 0, 0, 1]);
  });

  test("a single word only partly within its speaker's turn belongs to its neighbour", () => {
    expect(heard(4, turn(1, 0, 0.12), turn(0, 0.12, 0.8))).toEqual([0, 0, 0, 0]);
    expect(heard(4, turn(0, 0, 0.68), turn(1, 0.68, 0.9))).toEqual([0, 0, 0, 0]);
  });

  test('a long word with a doubtful edge keeps its speaker', () => {
    const said = [
      { ts: 0, endTs: 0.2 },
      { ts: 0.2, endTs: 0.9 },
    ];
    const turns = [turn(0, 0, 0.4), turn(1, 0.4, 0.9)];
    expect(steadySpeakers(said, speakersOf(said, turns), turns)).toEqual([0, 1]);
  });

  test('a word alone keeps its speaker', () => {
    expect(heard(1, turn(3, 0.5, 0.6))).toEqual([3]);
    expect(steadySpeakers([], [], [])).toEqual([]);
  });
});

test('no speaker gains words without a turn, and there are no more changes than before', () => {
  const turns = fc.array(
    fc
      .record({
        speaker: fc.nat({ max: 3 }),
        ts: fc.nat({ max: 40 }),
        length: fc.integer({ min: 1, max: 9 }),
      })
      .map(({ speaker, ts, length }) => turn(speaker, ts / 10, (ts + length) / 10)),
    { minLength: 1, maxLength: 12 },
  );
  const changes = (speakers: readonly number[]) =>
    speakers.filter((speaker, index) => index > 0 && speaker !== speakers[index - 1]).length;
  fc.assert(
    fc.property(fc.nat({ max: 20 }), turns, (count, all) => {
      const before = speakersOf(words(count), all);
      const after = steadySpeakers(words(count), before, all);
      expect(after).toHaveLength(count);
      for (const speaker of after) expect(before).toContain(speaker);
      expect(changes(after)).toBeLessThanOrEqual(changes(before));
    }),
  );
});
