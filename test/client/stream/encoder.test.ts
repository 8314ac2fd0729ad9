import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { encodePcm } from '../../../src/audio/pcm.ts';
import { createEncoder } from '../../../src/client/stream/encoder.ts';
import { blockAt } from '../../helpers/streamBlocks.ts';

const format = { sampleFormat: 'S16LE', sampleRate: 16_000, channels: 1 } as const;
const bytesAt = (startFrame: number, frames: number) =>
  encodePcm(blockAt(startFrame, frames).samples, 'S16LE');

describe('an encoder', () => {
  test('gives the same bytes for any cutting of the audio, reused or not', () => {
    const cuts = fc.uniqueArray(fc.integer({ min: 0, max: 5000 }), { maxLength: 20 });
    fc.assert(
      fc.property(cuts, fc.boolean(), (cuts, mayReuse) => {
        const encode = createEncoder(format);
        const edges = [0, ...cuts, 5000].toSorted((a, b) => a - b);
        const parts = edges.slice(1).map((end, i) => {
          const chunk = encode(blockAt(edges[i]!, end - edges[i]!), mayReuse);
          expect(chunk).toMatchObject({ startFrame: edges[i], frames: end - edges[i]! });
          return Buffer.from(chunk.bytes);
        });
        expect(Buffer.concat(parts).equals(Buffer.from(bytesAt(0, 5000)))).toBe(true);
      }),
    );
  });

  test('overwrites a chunk only when it may', () => {
    const encode = createEncoder(format);
    const first = encode(blockAt(0, 100), false).bytes;
    const second = encode(blockAt(100, 100), false).bytes;
    expect([first, second]).toEqual([bytesAt(0, 100), bytesAt(100, 100)]);
    expect(encode(blockAt(200, 60), true).bytes.buffer).toBe(second.buffer);
    expect(first).toEqual(bytesAt(0, 100));
  });
});
