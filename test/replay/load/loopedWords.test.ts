import { expect, test } from 'vitest';
import type { Speech } from '../../../src/replay/load/loadSpeech.ts';
import { createLoopedWords, type WordCounts } from '../../../src/replay/load/loopedWords.ts';
import type { FinalEvent, PartialEvent } from '../../../src/transcript/model/events.ts';

/** Ten seconds: one utterance of two words from 1 s to 2 s, and one from 5 s to 6 s. */
const SPEECH: Speech = {
  path: 'talk.wav',
  seconds: 8.5,
  isCut: false,
  blocks: new Array<Float32Array>(100).fill(new Float32Array(1600)),
  utterances: [
    { ts: 1, endTs: 2, words: wordsAt(['one', 'two'], 1) },
    { ts: 5, endTs: 6, words: wordsAt(['three', 'four'], 5) },
  ],
};

function wordsAt(keys: readonly string[], ts: number) {
  return keys.map((key, index) => ({ key, endTs: ts + (index + 1) / 2 }));
}

function final(keys: readonly string[], ts: number): FinalEvent {
  const elements = keys.flatMap((value, index) => [
    { type: 'text', value, ts: ts + index / 2, endTs: ts + (index + 1) / 2 } as const,
    { type: 'punct', value: ' ' } as const,
  ]);
  return { type: 'final', ts, endTs: ts + keys.length / 2, elements };
}

function partial(value: string, ts: number, endTs: number): PartialEvent {
  return { type: 'partial', ts, endTs, elements: [{ type: 'text', value }] };
}

function countsOf(
  offsetSeconds: number,
  finals: readonly FinalEvent[],
  seconds: number,
  speech = SPEECH,
): WordCounts {
  const all = { expected: 0, missing: 0, extra: 0, changed: 0 };
  const words = createLoopedWords(speech, offsetSeconds, counts => {
    for (const name of ['expected', 'missing', 'extra', 'changed'] as const) all[name] += counts[name];
  });
  for (const event of finals) words.take(event);
  words.end(seconds);
  return all;
}

const ONE = ['one', 'two'];
const THREE = ['three', 'four'];

test('the words of all repetitions are compared', () => {
  const finals = [final(ONE, 1), final(THREE, 5), final(ONE, 11), final(THREE, 15)];
  expect(countsOf(0, finals, 20)).toEqual({ expected: 8, missing: 0, extra: 0, changed: 0 });
});

test('lost, doubled and changed words are counted', () => {
  const finals = [final(ONE, 1), final(ONE, 2.1), final(THREE, 5), final(['five', 'four'], 15)];
  expect(countsOf(0, finals, 20)).toEqual({ expected: 8, missing: 2, extra: 2, changed: 1 });
});

test('the words that a stream begins within are left out', () => {
  const finals = [final(['wo'], 0.1), final(THREE, 3.5), final(ONE, 9.5)];
  expect(countsOf(1.5, finals, 12)).toEqual({ expected: 4, missing: 0, extra: 0, changed: 0 });
});

test('a stream may begin behind the last words of the recording', () => {
  expect(countsOf(9, [final(ONE, 2), final(THREE, 6)], 11)).toEqual({
    expected: 4,
    missing: 0,
    extra: 0,
    changed: 0,
  });
});

test('the words that the end of a stream may have cut are left out', () => {
  expect(countsOf(0, [final(ONE, 1), final(['thr'], 5)], 5.4)).toEqual({
    expected: 2,
    missing: 0,
    extra: 0,
    changed: 0,
  });
});

test('the words that the end of a stream may have cut are left out, also shortly behind others', () => {
  const speech = {
    ...SPEECH,
    utterances: [SPEECH.utterances[0]!, { ts: 2.4, endTs: 3.4, words: wordsAt(['three', 'four'], 2.4) }],
  };
  expect(countsOf(0, [final(ONE, 1), final(['three'], 2.4)], 3, speech)).toEqual({
    expected: 2,
    missing: 0,
    extra: 0,
    changed: 0,
  });
});

test('words that are lost at the end of a stream are missing', () => {
  expect(countsOf(0, [final(ONE, 1)], 20)).toEqual({ expected: 8, missing: 6, extra: 0, changed: 0 });
});

test('the lag is the time since the oldest spoken word without text', () => {
  const words = createLoopedWords(SPEECH, 0, () => {});
  expect(words.lagSeconds(1)).toBe(0);
  expect(words.lagSeconds(3)).toBeCloseTo(1.5);
  words.take(partial('one', 1, 1.5));
  expect(words.lagSeconds(3)).toBeCloseTo(1);
  words.take(final(ONE, 1));
  expect(words.lagSeconds(5)).toBe(0);
  expect(words.lagSeconds(7)).toBeCloseTo(1.5);
  words.take(final(THREE, 5));
  expect(words.lagSeconds(11)).toBe(0);
  expect(words.lagSeconds(13)).toBeCloseTo(1.5);
});
