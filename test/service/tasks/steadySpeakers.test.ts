import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { speakersOf, steadySpeakers } from '../../../src/service/tasks/speakers.ts';

/** Returns consecutive words of 0.2 s each. */
const words = (count: number) =>
  Array.from({ length: count }, (_, index) => ({ ts: index / 5, endTs: (index + 1) / 5 }));
const turn = (speaker: number, ts: number, endTs: number) => ({ speaker, ts, endTs });

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
