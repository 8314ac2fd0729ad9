import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createFrameAssembler } from '../../../src/audio/pcm/pcmReader.ts';

const cuts = fc.array(fc.uint8Array({ maxLength: 12 }), { maxLength: 20 });

test('any cutting of the bytes gives the same whole frames, and keeps the rest', () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 40 }), cuts, (bytesPerFrame, chunks) => {
      const assembler = createFrameAssembler(bytesPerFrame);
      const whole = chunks.flatMap(chunk => {
        const frames = assembler.push(chunk);
        expect(frames.length % bytesPerFrame).toBe(0);
        return [...frames];
      });
      const all = chunks.flatMap(chunk => [...chunk]);
      expect(whole).toEqual(all.slice(0, all.length - (all.length % bytesPerFrame)));
      expect(assembler.pending).toBe(all.length % bytesPerFrame);
    }),
  );
});

test.each([
  ['Uint8Array', Uint8Array.of(1, 2, 3)],
  ['Buffer', Buffer.of(1, 2, 3)],
])('the owner of a chunk may write over it: %s', (_, chunk) => {
  const assembler = createFrameAssembler(2);
  assembler.push(chunk);
  chunk.fill(99);
  expect([...assembler.push(Uint8Array.of(4))]).toEqual([3, 4]);
});

test('a chunk of whole frames is not copied', () => {
  const chunk = Uint8Array.of(1, 2, 3, 4);
  expect(createFrameAssembler(2).push(chunk).buffer).toBe(chunk.buffer);
});
