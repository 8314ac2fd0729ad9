import { describe, expect, it } from 'vitest';
import type { DecodedWord } from '../../../src/engines/moonshine/decodedWords.ts';
import { endedAsAround, Joints } from '../../../src/engines/moonshine/joints.ts';
import { plainWord } from '../../../src/engines/sherpa/tokens/tokenWords.ts';

const words = (text: string): readonly DecodedWord[] =>
  text
    .split(' ')
    .filter(written => written !== '')
    .map(written => ({ value: plainWord(written), written, startFrame: 0, endFrame: 1, confidence: 1 }));

const writingOf = (decoded: readonly DecodedWord[]) => decoded.map(({ written }) => written).join(' ');

describe('the last word of an utterance', () => {
  it.each([
    ['is written as before the next word', 'Ask not.', 'What your', 'and ask not what your', 'Ask not'],
    ['keeps a mark that it has there, too', 'A man.', 'He was', 'such a man. He was.', 'A man.'],
    [
      'is found by the next word when it occurs twice',
      'So not.',
      'What is',
      'not, but not what is',
      'So not',
    ],
    [
      'is found alone when the next word differs there',
      'Fellow men.',
      'As not',
      'fellow men, ask not.',
      'Fellow men,',
    ],
    ['stays when it occurs twice, before other words', 'So not.', 'What is', 'not, but not, that', 'So not.'],
    [
      'stays when it is not there',
      'We desire increase.',
      'That',
      'we desire and crease that',
      'We desire increase.',
    ],
    ['stays when nothing follows there', 'Ask not.', 'What', 'and ask not!', 'Ask not.'],
    ['stays without any words', '', 'What', 'and ask not what', ''],
  ])('%s', (_, own, next, around, written) => {
    expect(writingOf(endedAsAround(words(own), words(next), words(around)))).toBe(written);
  });
});

it('the utterances of a recording wait for the next one or the end, and only those with a short pause are judged', async () => {
  const heard: [number, number][] = [];
  const audio = (from: number, to: number) => new Int16Array(Math.max(0, to - from));
  const joints = new Joints({
    audio,
    decode: async samples => {
      heard.push([samples.length, heard.length]);
      return words('ask not what you can');
    },
  });
  const utterance = (start: number, end: number, text: string) =>
    joints.add({
      startFrame: start * 16_000,
      endFrame: end * 16_000,
      from: start * 16_000,
      samples: audio(start * 16_000, (end + 0.3) * 16_000),
      words: Promise.resolve(words(text)),
    });
  const first = utterance(0, 6, 'Ask not.');
  expect(await Promise.race([first, 'waits'])).toBe('waits');
  const second = utterance(7, 8, 'What you can.');
  const third = utterance(10, 12, 'Thanks.');
  joints.end();
  expect((await Promise.all([first, second, third])).map(writingOf)).toEqual([
    'Ask not',
    'What you can.',
    'Thanks.',
  ]);
  // The last 4 s of the first utterance, the pause, and the second one.
  expect(heard).toEqual([[6 * 16_000, 0]]);
});

it('an utterance that cannot be decoded rejects at once, not with the next one', async () => {
  const joints = new Joints({ audio: () => new Int16Array(0), decode: async () => [] });
  const failing = joints.add({
    startFrame: 0,
    endFrame: 16_000,
    from: 0,
    samples: new Int16Array(16_000),
    words: Promise.reject(new Error('the process ended')),
  });
  await expect(failing).rejects.toThrow('the process ended');
});
