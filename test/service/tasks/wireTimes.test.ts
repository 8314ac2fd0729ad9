import fc from 'fast-check';
import { expect, test } from 'vitest';
import { encodeTranscript } from '../../../src/protocol/transcriptJson.ts';
import { withWireTimes } from '../../../src/service/tasks/wireTimes.ts';
import type { Transcript } from '../../../src/transcript/model/model.ts';

const BOUNDS = [
  { ts: 0, endTs: 1 },
  { ts: 2, endTs: 2.99 },
];

/** Returns speaker, start and end of each word, as JSON has them. */
function timesOf(transcript: Transcript): (readonly [speaker: number, ts: number, endTs: number])[] {
  return encodeTranscript(transcript).monologues.flatMap(({ speaker, elements }) =>
    elements.flatMap(element =>
      element.type === 'text' && element.ts !== undefined ? [[speaker, element.ts, element.end_ts!]] : [],
    ),
  ) as [number, number, number][];
}

function talk(...words: readonly (readonly [speaker: number, ts: number, endTs: number])[]): Transcript {
  return {
    monologues: words.map(([speaker, ts, endTs]) => ({
      speaker,
      elements: [{ type: 'text', value: 'word', ts, endTs }],
    })),
  };
}

test('words with times as JSON has them stay as they are, also of people who talk at the same time', () => {
  const words = talk([0, 0, 0.01], [1, 0, 0.5], [0, 0.01, 0.3], [1, 2, 2.99]);
  expect(withWireTimes(words, BOUNDS)).toEqual(words);
});

test('words of one moment follow one another, before the end and without words of another speaker', () => {
  const words = talk([0, 2, 2.5], [0, 2.99, 2.99], [1, 2.99, 3.1], [0, 2.99, 2.99], [0, 2.99, 4.2]);
  expect(timesOf(withWireTimes(words, BOUNDS))).toEqual([
    [0, 2, 2.5],
    [0, 2.96, 2.97],
    [1, 2.98, 2.99],
    [0, 2.97, 2.98],
    [0, 2.98, 2.99],
  ]);
});

test('words without times have none', () => {
  const elements = [{ type: 'text', value: 'lost' }] as const;
  const words = { monologues: [{ speaker: 0, elements }] };
  expect(withWireTimes(words, BOUNDS)).toEqual(words);
});

test('each word ends after its start within the bounds, whatever its times were', () => {
  const time = fc.oneof(fc.double({ min: 0, max: 4, noNaN: true }), fc.constantFrom(0, 1, 2.99));
  const words = fc.array(fc.tuple(fc.nat({ max: 2 }), time, time), { maxLength: 400 });
  fc.assert(
    fc.property(words, given => {
      const times = timesOf(withWireTimes(talk(...given), BOUNDS));
      expect(times.map(([speaker]) => speaker)).toEqual(given.map(([speaker]) => speaker));
      for (const [, ts, endTs] of times) {
        expect(endTs).toBeGreaterThan(ts);
        expect(BOUNDS.some(bound => bound.ts <= ts && endTs <= bound.endTs)).toBe(true);
      }
    }),
  );
});
