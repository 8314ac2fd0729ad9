import fc from 'fast-check';
import { from, lastValueFrom, of, take, toArray } from 'rxjs';
import { TestScheduler } from 'rxjs/testing';
import { describe, expect, test } from 'vitest';
import { chunk } from '../../src/audio/chunk.ts';
import type { AudioBlock } from '../../src/audio/format/format.ts';
import { InvalidArgumentError } from '../../src/base/errors.ts';
import { cutBlock, joinSamples, rampBlock, someCuts } from '../helpers/rampBlocks.ts';

const scheduler = () => new TestScheduler((actual, expected) => expect(actual).toEqual(expected));
const chunked = (blocks: readonly AudioBlock[], ms: number) =>
  lastValueFrom(from(blocks).pipe(chunk(ms), toArray()));

describe('in marbles, with chunks of 10 ms, that is 160 frames,', () => {
  const a = rampBlock(0, 100);
  const b = rampBlock(100, 100);
  const c = rampBlock(200, 300);
  const values = {
    a,
    b,
    c,
    1: rampBlock(0, 160),
    2: rampBlock(160, 160),
    3: rampBlock(320, 160),
    4: rampBlock(480, 20),
  };

  test('chunks come when they are full, the rest at the end', () => {
    scheduler().run(({ cold, expectObservable, expectSubscriptions }) => {
      const source = cold('-a--b---c---|', values);
      expectObservable(source.pipe(chunk(10))).toBe('----1---(23)(4|)', values);
      expectSubscriptions(source.subscriptions).toBe('^-----------!');
    });
  });

  test('emits no more chunks than the subscriber takes', () => {
    scheduler().run(({ cold, expectObservable, expectSubscriptions }) => {
      const source = cold('-a--b---c---|', values);
      expectObservable(source.pipe(chunk(10), take(2))).toBe('----1---(2|)', values);
      expectSubscriptions(source.subscriptions).toBe('^-------!');
    });
  });
});

test('any cutting gives the same chunks', async () => {
  const streams = fc.record({
    startFrame: fc.nat(1000),
    frames: fc.nat(9000),
    channels: fc.integer({ min: 1, max: 3 }),
    sampleRate: fc.constantFrom(8000, 11_025, 44_100),
    ms: fc.integer({ min: 1, max: 100 }),
  });
  await fc.assert(
    fc.asyncProperty(streams, someCuts, async ({ startFrame, frames, channels, sampleRate, ms }, cuts) => {
      const stream = rampBlock(startFrame, frames, sampleRate, channels);
      const size = Math.round((ms * sampleRate) / 1000);
      const chunks = await chunked(cutBlock(stream, cuts), ms);
      expect(joinSamples(chunks)).toEqual(stream.samples);
      expect(chunks.map(({ startFrame }) => startFrame)).toEqual(chunks.map((_, i) => startFrame + i * size));
      expect(chunks.slice(0, -1).every(({ samples }) => samples.length === size * channels)).toBe(true);
    }),
  );
});

test('a chunk within one block is not copied', async () => {
  const block = rampBlock(0, 320);
  const chunks = await chunked([block], 10);
  expect(chunks.every(({ samples }) => samples.buffer === block.samples.buffer)).toBe(true);
});

test('a chunk ends where frames are missing', async () => {
  const chunks = await chunked([rampBlock(0, 200), rampBlock(1000, 170)], 10);
  expect(chunks).toEqual([rampBlock(0, 160), rampBlock(160, 40), rampBlock(1000, 160), rampBlock(1160, 10)]);
});

test.for([
  [rampBlock(100, 10, 8000), '8000 Hz and 1 channel at frame 100.'],
  [rampBlock(100, 10, 16_000, 2), '16000 Hz and 2 channels at frame 100.'],
] as const)('a change within the stream is an error: $1', async ([second, message]) => {
  const result = chunked([rampBlock(0, 100), second], 10);
  await expect(result).rejects.toThrow(InvalidArgumentError);
  await expect(result).rejects.toThrow(message);
});

test.for([0, -1, Number.NaN, Number.POSITIVE_INFINITY])('%d ms are refused', ms => {
  expect(() => of(rampBlock(0, 1)).pipe(chunk(ms))).toThrow(InvalidArgumentError);
});
