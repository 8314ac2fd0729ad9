import { describe, expect, test } from 'vitest';
import { encodePcm } from '../../../src/audio/pcm/pcm.ts';
import { InvalidArgumentError } from '../../../src/base/errors.ts';
import {
  createBlockChecker,
  createBlockEncoder,
  MAX_CHUNK_BYTES,
  silence,
} from '../../../src/client/stream/audioBlocks.ts';
import { blockAt } from '../../helpers/streamBlocks.ts';

const format = { sampleFormat: 'S16LE', sampleRate: 16_000, channels: 1 } as const;
const guard = () => createBlockChecker(format);

describe('a checked block', () => {
  test('is passed on as it is', () => {
    const block = blockAt(7, 100);
    expect(guard()(block)).toEqual([block]);
  });

  test.each([1, 2])('is cut only when it is longer than a WebSocket frame may be (%i channels)', channels => {
    const limit = MAX_CHUNK_BYTES / 2 / channels;
    const admit = () => createBlockChecker({ ...format, channels });
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
  ])('is refused with %s', (_, block) => {
    expect(() => guard()(block)).toThrow(InvalidArgumentError);
  });

  test('must hold whole frames', () => {
    const stereo = createBlockChecker({ ...format, channels: 2 });
    expect(() => stereo({ ...blockAt(0, 3), channels: 2 })).toThrow('whole frames');
  });

  test('may begin after a gap, but not before the end of the last one', () => {
    const admit = guard();
    admit(blockAt(0, 10));
    expect(admit(blockAt(50, 10))[0]?.startFrame).toBe(50);
    expect(() => admit(blockAt(59, 10))).toThrow(
      'starts at frame 59: the next one must start at frame 60 or later',
    );
  });
});

describe('a block on the wire', () => {
  test('keeps its bytes while another stream encodes a block', () => {
    const format = { sampleFormat: 'S16LE', sampleRate: 16_000, channels: 1 } as const;
    const [one, other] = [createBlockEncoder(format), createBlockEncoder(format)];
    const first = { ...blockAt(0, 100), samples: new Float32Array(100).fill(0.5) };
    const { bytes } = one(first);
    other(blockAt(0, 100));
    expect(bytes).toEqual(encodePcm(first.samples, 'S16LE'));
  });

  test('is its samples in the format of the wire, with its place', () => {
    const block = blockAt(1600, 100);
    const { bytes, ...place } = createBlockEncoder({
      sampleFormat: 'S16LE',
      sampleRate: 16_000,
      channels: 1,
    })(block);
    expect(place).toEqual({ startFrame: 1600, frames: 100 });
    expect(bytes).toEqual(encodePcm(block.samples, 'S16LE'));
  });

  test.each([
    ['S16LE', [0, 0, 0, 0]],
    ['U8', [128, 128]],
    ['MULAW', [255, 255]],
    ['ALAW', [0xd5, 0xd5]],
  ] as const)('is silent in %s', (sampleFormat, bytes) => {
    const format = { sampleFormat, sampleRate: 8000, channels: 2 };
    expect(silence(format, 1)).toEqual({ frames: 1, bytes: new Uint8Array(bytes) });
  });
});
