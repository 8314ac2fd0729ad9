import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { encodePcm } from '../../../src/audio/pcm.ts';
import { InvalidArgumentError } from '../../../src/base/errors.ts';
import { createEncoder, MAX_CHUNK_BYTES } from '../../../src/client/stream/encoder.ts';
import { blockAt } from '../../helpers/streamBlocks.ts';

const format = { sampleFormat: 'S16LE', sampleRate: 16_000, channels: 1 } as const;
const encode = () => createEncoder(format);

describe('an encoder', () => {
  test('gives the same bytes for any cutting of the audio', () => {
    const whole = Buffer.from(encodePcm(blockAt(0, 5000).samples, 'S16LE'));
    const cuts = fc.uniqueArray(fc.integer({ min: 0, max: 5000 }), { maxLength: 20 });
    fc.assert(
      fc.property(cuts, cuts => {
        const encodeBlock = encode();
        const edges = [0, ...cuts, 5000].toSorted((a, b) => a - b);
        const chunks = edges.slice(1).flatMap((end, i) => encodeBlock(blockAt(edges[i]!, end - edges[i]!)));
        expect(Buffer.concat(chunks.map(chunk => chunk.bytes)).equals(whole)).toBe(true);
        expect(chunks.reduce((sum, chunk) => sum + chunk.frames, 0)).toBe(5000);
      }),
    );
  });

  test('cuts a block only when it is longer than a frame may be', () => {
    const limit = MAX_CHUNK_BYTES / 2;
    expect(encode()(blockAt(7, limit))).toHaveLength(1);
    const [first, second] = encode()(blockAt(7, limit + 1));
    expect(first).toMatchObject({ startFrame: 7, frames: limit });
    expect(second).toMatchObject({ startFrame: 7 + limit, frames: 1 });
    expect([first!.bytes.length, second!.bytes.length]).toEqual([MAX_CHUNK_BYTES, 2]);
  });

  test.each([
    ['another rate', { ...blockAt(0, 10), sampleRate: 8000 }],
    ['another number of channels', { ...blockAt(0, 10), channels: 2 }],
    ['a rate that is no number', { ...blockAt(0, 10), sampleRate: Number.NaN }],
    ['a place that is no number', { ...blockAt(0, 10), startFrame: Number.NaN }],
    ['a place before its start', { ...blockAt(0, 10), startFrame: -1 }],
  ])('refuses a block with %s', (_, block) => {
    expect(() => encode()(block)).toThrow(InvalidArgumentError);
  });

  test('refuses half a frame', () => {
    const stereo = createEncoder({ ...format, channels: 2 });
    expect(() => stereo({ ...blockAt(0, 3), channels: 2 })).toThrow('whole frames');
  });

  test('lets the source leave audio out, but not go back', () => {
    const encodeBlock = encode();
    encodeBlock(blockAt(0, 10));
    expect(encodeBlock(blockAt(50, 10))[0]?.startFrame).toBe(50);
    expect(() => encodeBlock(blockAt(59, 10))).toThrow('frame 60 or later, found one from 59');
  });
});
