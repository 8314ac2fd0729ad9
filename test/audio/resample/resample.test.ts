import { from, lastValueFrom, map, of, toArray } from 'rxjs';
import { TestScheduler } from 'rxjs/testing';
import { describe, expect, test } from 'vitest';
import type { AudioBlock } from '../../../src/audio/format/format.ts';
import { type ResampleOptions, resample } from '../../../src/audio/resample/resample.ts';
import { InvalidArgumentError } from '../../../src/base/errors.ts';
import { rampBlock } from '../../helpers/rampBlocks.ts';

const resampled = (blocks: readonly AudioBlock[], options?: ResampleOptions) =>
  lastValueFrom(from(blocks).pipe(resample(options), toArray()));

describe('in marbles, at 32 to 16 kHz, where 64 frames come late,', () => {
  const values = { a: rampBlock(0, 164, 32_000), b: rampBlock(164, 100, 32_000) };
  const shapes = {
    1: { startFrame: 0, sampleRate: 16_000, channels: 1, frames: 50 },
    2: { startFrame: 50, sampleRate: 16_000, channels: 1, frames: 50 },
    3: { startFrame: 100, sampleRate: 16_000, channels: 1, frames: 32 },
  };
  const shape = map(({ samples, ...block }: AudioBlock) => ({ ...block, frames: samples.length }));
  const run = (test: Parameters<TestScheduler['run']>[0]) =>
    new TestScheduler((actual, expected) => expect(actual).toEqual(expected)).run(test);

  test('blocks come as their sound is complete, the rest at the end', () => {
    run(({ cold, expectObservable, expectSubscriptions }) => {
      const source = cold('-a--b--|', values);
      expectObservable(source.pipe(resample(), shape)).toBe('-1--2--(3|)', shapes);
      expectSubscriptions(source.subscriptions).toBe('^------!');
    });
  });
});

describe('channels', () => {
  const stereo: AudioBlock = {
    startFrame: 7,
    sampleRate: 16_000,
    channels: 2,
    samples: Float32Array.of(0.5, 0.25, -1, 1),
  };

  test('become one by their mean, at their place', async () => {
    const [block] = await resampled([stereo]);
    expect(block).toMatchObject({ ...stereo, channels: 1, samples: Float32Array.of(0.375, 0) });
  });

  test.for([{ channels: 'keep' as const }, { channels: 2 }])(
    'that are right pass untouched: %j',
    async options => {
      const [block] = await resampled([stereo], options);
      expect(block).toBe(stereo);
    },
  );

  test('that cannot be made are an error', async () => {
    await expect(resampled([stereo], { channels: 3 })).rejects.toThrow(InvalidArgumentError);
  });

  test.for([0, 11, 1.5, Number.NaN])('%d of them are refused', channels => {
    expect(() => resample({ channels })).toThrow(InvalidArgumentError);
  });
});

test('audio before and after a gap is resampled separately', async () => {
  const before = rampBlock(0, 1001, 48_000);
  const after = rampBlock(5000, 1001, 48_000);
  const apart = [...(await resampled([before])), ...(await resampled([after]))];
  expect(await resampled([before, after])).toEqual(apart);
});

test.for([
  [rampBlock(100, 10, 44_100), 'began with 48000 Hz and 1 channel, but has 44100 Hz'],
  [rampBlock(100, 10, 48_000, 2), 'but has 48000 Hz and 2 channels at frame 100.'],
] as const)('a change within the stream is an error: $1', async ([second, message]) => {
  const result = resampled([rampBlock(0, 100, 48_000), second]);
  await expect(result).rejects.toThrow(InvalidArgumentError);
  await expect(result).rejects.toThrow(message);
});

test.for([Number.NaN, 500, 1_000_000])('a source of %d Hz is an error of the stream', async sampleRate => {
  const result = lastValueFrom(of(rampBlock(0, 10, sampleRate)).pipe(resample()));
  await expect(result).rejects.toThrow(InvalidArgumentError);
});

test.for([Number.NaN, 7999, 16_000.5, 48_001])('%d Hz are refused', sampleRate => {
  expect(() => resample({ sampleRate })).toThrow(InvalidArgumentError);
});
