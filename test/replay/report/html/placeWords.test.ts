import { expect, test } from 'vitest';
import { placeWords } from '../../../../src/replay/report/html/placeWords.ts';
import type { AlignedWord } from '../../../../src/replay/score/scoreTranscript.ts';

const hit = (text: string, ts?: number, endTs?: number): AlignedWord => ({
  type: 'hit',
  reference: text,
  hypothesis: text,
  ts,
  endTs,
});
const deletion = (reference: string): AlignedWord => ({ type: 'deletion', reference });

/** Returns the words of the reference with their places. */
function references(alignment: readonly AlignedWord[], seconds: number) {
  return placeWords(alignment, seconds).flatMap(({ reference }) =>
    reference ? [[reference.text, reference.ts, reference.endTs]] : [],
  );
}

test('words of the reference take the place of their aligned words, and others share the time between', () => {
  expect(references([hit('a', 1, 2), deletion('b'), deletion('c'), hit('d', 4, 5)], 6)).toEqual([
    ['a', 1, 2],
    ['b', 2, 3],
    ['c', 3, 4],
    ['d', 4, 5],
  ]);
});

test("words without room take half of their neighbors' time", () => {
  expect(references([hit('a', 1, 2), deletion('b'), hit('c', 2, 3)], 6)).toEqual([
    ['a', 1, 1.5],
    ['b', 1.5, 2.5],
    ['c', 2.5, 3],
  ]);
});

test('words of the hypothesis keep their times', () => {
  const [first] = placeWords([hit('a', 1, 2), deletion('b'), hit('c', 2, 3)], 6);
  expect(first!.hypothesis).toEqual({ text: 'a', ts: 1, endTs: 2 });
});

test('times of the reference take precedence over those of the hypothesis', () => {
  const [word] = placeWords([{ ...hit('a', 1, 2), referenceTs: 1.1, referenceEndTs: 1.9 }], 6);
  expect(word!.reference).toEqual({ text: 'a', ts: 1.1, endTs: 1.9 });
});

test('words of one element share its time', () => {
  const alignment = [hit('if', 0, 1), hit('they', 1, 2), hit('are', 1, 2), hit('here', 2, 3)];
  expect(references(alignment, 3)).toEqual([
    ['if', 0, 1],
    ['they', 1, 1.5],
    ['are', 1.5, 2],
    ['here', 2, 3],
  ]);
  expect(placeWords(alignment, 3)[2]!.hypothesis).toEqual({ text: 'are', ts: 1.5, endTs: 2 });
});

test('words without any times share the audio', () => {
  expect(references([deletion('a'), hit('b')], 4)).toEqual([
    ['a', 0, 2],
    ['b', 2, 4],
  ]);
});

test('places ascend and are within the audio in all cases', () => {
  const alignment = [
    deletion('a'),
    hit('b', 0, 0.1),
    deletion('c'),
    hit('d', 0.1, 0.1),
    hit('e'),
    deletion('f'),
  ];
  const times = references(alignment, 0.1).flatMap(([, ts, endTs]) => [ts as number, endTs as number]);
  expect(times).toHaveLength(12);
  expect(times).toEqual(times.toSorted((one, other) => one - other));
  expect([times[0], times.at(-1)]).toEqual([0, 0.1]);
});
