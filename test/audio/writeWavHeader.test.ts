import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createWavReader } from '../../src/audio/wav.ts';
import { type WavFormat, wavBytesPerSample } from '../../src/audio/wavFormat.ts';
import { writeWavHeader } from '../../src/audio/writeWavHeader.ts';

const formats = fc.record<WavFormat>({
  sampleFormat: fc.constantFrom('U8', 'S16LE', 'S24LE', 'S32LE', 'F32LE', 'F64LE', 'ALAW', 'MULAW'),
  sampleRate: fc.integer({ min: 8000, max: 192_000 }),
  channels: fc.integer({ min: 1, max: 10 }),
});

test('what is written is read back, with the size or until the end', () => {
  fc.assert(
    fc.property(formats, fc.integer({ min: 1, max: 50 }), fc.boolean(), (format, frames, isSized) => {
      const data = new Uint8Array(frames * format.channels * wavBytesPerSample(format.sampleFormat));
      const reader = createWavReader();
      reader.push(writeWavHeader(format, isSized ? data.length : undefined));
      reader.push(data);
      // Behind a known size there are other chunks; without one everything is audio.
      reader.push(new Uint8Array(data.length));
      expect(reader.format).toEqual(format);
      expect(reader.end()).toEqual({ frames: isSized ? frames : 2 * frames, lostBytes: 0 });
    }),
  );
});

test('a 16-bit header has the 44 bytes that everybody knows', () => {
  const header = writeWavHeader({ sampleFormat: 'S16LE', sampleRate: 16000, channels: 1 }, 1001);
  expect(Buffer.from(header).toString('hex')).toBe(
    `${'52494646'}${'0e040000'}57415645666d74201000000001000100803e0000007d00000200100064617461e9030000`,
  );
});

test('a size beyond 4 GiB is all ones', () => {
  const header = writeWavHeader({ sampleFormat: 'S16LE', sampleRate: 16000, channels: 1 }, 2 ** 33);
  const view = new DataView(header.buffer);
  expect([view.getUint32(4, true), view.getUint32(40, true)]).toEqual([0xffff_ffff, 0xffff_ffff]);
});

test('big-endian samples are refused', () => {
  expect(() => writeWavHeader({ sampleFormat: 'S16BE', sampleRate: 16000, channels: 1 })).toThrow(
    expect.objectContaining({ code: 'invalid-argument' }),
  );
});
