import fc from 'fast-check';
import { expect, test } from 'vitest';
import { channelOf, interleave } from '../../../src/audio/format/channels.ts';
import { InvalidArgumentError } from '../../../src/base/errors.ts';

test('each channel can be taken alone', () => {
  const samples = Float32Array.of(1, 2, 3, 4, 5, 6);
  expect([0, 1, 2].map(channel => [...channelOf(samples, 3, channel)])).toEqual([
    [1, 4],
    [2, 5],
    [3, 6],
  ]);
  expect(channelOf(samples, 1, 0)).toBe(samples);
  for (const channel of [-1, 3, 0.5])
    expect(() => channelOf(samples, 3, channel)).toThrow(InvalidArgumentError);
  expect(() => channelOf(samples, 1, 1)).toThrow(InvalidArgumentError);
});

test('two channels, one after the other, become frames', () => {
  expect([...interleave(Float32Array.of(1, 2, 3, 10, 20, 30), 2)]).toEqual([1, 10, 2, 20, 3, 30]);
});

test('interleaving by channels, then by frames, gives the message again', () => {
  const size = fc.integer({ min: 1, max: 10 });
  fc.assert(
    fc.property(size, size, (channels, frames) => {
      const planar = Float32Array.from({ length: channels * frames }, (_, i) => i);
      expect(interleave(interleave(planar, channels), frames)).toEqual(planar);
    }),
  );
});

test('channels of unequal length are refused', () => {
  expect(() => interleave(new Float32Array(5), 2)).toThrow(InvalidArgumentError);
});
