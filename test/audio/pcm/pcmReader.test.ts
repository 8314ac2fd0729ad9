import fc from 'fast-check';
import { expect, test } from 'vitest';
import { decodePcm } from '../../../src/audio/pcm/pcm.ts';
import { createPcmReader } from '../../../src/audio/pcm/pcmReader.ts';

const cuts = fc.array(fc.uint8Array({ maxLength: 12 }), { maxLength: 20 });

test('any cutting of the bytes gives the same whole frames, and keeps the rest', () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 40 }), cuts, (channels, chunks) => {
      const format = { sampleFormat: 'U8', sampleRate: 8000, channels } as const;
      const reader = createPcmReader(format);
      const samples = chunks.flatMap(chunk => [...(reader.push(chunk)?.samples ?? [])]);
      const all = Buffer.concat(chunks);
      const whole = all.subarray(0, all.length - (all.length % channels));
      expect(samples).toEqual([...decodePcm(whole, format)]);
      expect(reader.pending).toBe(all.length % channels);
      expect(reader.frames).toBe(whole.length / channels);
    }),
  );
});

test.each([
  ['Uint8Array', Uint8Array.of(1, 2, 3)],
  ['Buffer', Buffer.of(1, 2, 3)],
])('the owner of a chunk may write over it: %s', (_, chunk) => {
  const format = { sampleFormat: 'S16LE', sampleRate: 8000, channels: 1 } as const;
  const reader = createPcmReader(format);
  reader.push(chunk);
  chunk.fill(99);
  expect(reader.push(Uint8Array.of(4))?.samples).toEqual(decodePcm(Uint8Array.of(3, 4), format));
});
