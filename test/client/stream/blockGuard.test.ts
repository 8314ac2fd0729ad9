import { describe, expect, test } from 'vitest';
import { InvalidArgumentError } from '../../../src/base/errors.ts';
import { createBlockGuard, MAX_CHUNK_BYTES } from '../../../src/client/stream/blockGuard.ts';
import { blockAt } from '../../helpers/streamBlocks.ts';

const format = { sampleFormat: 'S16LE', sampleRate: 16_000, channels: 1 } as const;
const guard = () => createBlockGuard(format);

describe('a guard of blocks', () => {
  test('lets a block pass as it is', () => {
    const block = blockAt(7, 100);
    expect(guard()(block)).toEqual([block]);
  });

  test.each([1, 2])('cuts a block only when it is longer than a frame may be (%i channels)', channels => {
    const limit = MAX_CHUNK_BYTES / 2 / channels;
    const admit = () => createBlockGuard({ ...format, channels });
    const block = (frames: number) => ({ ...blockAt(0, frames * channels), startFrame: 7, channels });
    expect(admit()(block(limit))).toEqual([block(limit)]);
    const [first, second, ...others] = admit()(block(limit + 1));
    expect(others).toEqual([]);
    expect([first!.startFrame, second!.startFrame]).toEqual([7, 7 + limit]);
    expect([...first!.samples, ...second!.samples]).toEqual([...block(limit + 1).samples]);
  });

  test.each([
    ['another rate', { ...blockAt(0, 10), sampleRate: 8000 }],
    ['another number of channels', { ...blockAt(0, 10), channels: 2 }],
    ['a rate that is no number', { ...blockAt(0, 10), sampleRate: Number.NaN }],
    ['a place that is no number', { ...blockAt(0, 10), startFrame: Number.NaN }],
    ['a place before its start', { ...blockAt(0, 10), startFrame: -1 }],
  ])('refuses a block with %s', (_, block) => {
    expect(() => guard()(block)).toThrow(InvalidArgumentError);
  });

  test('refuses half a frame', () => {
    const stereo = createBlockGuard({ ...format, channels: 2 });
    expect(() => stereo({ ...blockAt(0, 3), channels: 2 })).toThrow('whole frames');
  });

  test('lets the source leave audio out, but not go back', () => {
    const admit = guard();
    admit(blockAt(0, 10));
    expect(admit(blockAt(50, 10))[0]?.startFrame).toBe(50);
    expect(() => admit(blockAt(59, 10))).toThrow('frame 60 or later, found one from 59');
  });
});
