import fc from 'fast-check';
import { expect, test } from 'vitest';
import { interleave } from '../../src/audio/interleave.ts';
import { InvalidArgumentError } from '../../src/base/errors.ts';

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
