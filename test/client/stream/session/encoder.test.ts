import { describe, expect, test } from 'vitest';
import { encodePcm } from '../../../../src/audio/pcm/pcm.ts';
import { encodeBlock, silence } from '../../../../src/client/stream/session/encoder.ts';
import { blockAt } from '../../../helpers/streamBlocks.ts';

describe('a block on the wire', () => {
  test('is its samples in the format of the wire, with its place', () => {
    const block = blockAt(1600, 100);
    const { bytes, ...place } = encodeBlock(block, { sampleFormat: 'S16LE' });
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
