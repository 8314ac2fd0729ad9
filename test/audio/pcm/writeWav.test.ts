import { describe, expect, test } from 'vitest';
import { BYTES_PER_SAMPLE, type SampleFormat } from '../../../src/audio/format/format.ts';
import { encodePcm } from '../../../src/audio/pcm/pcm.ts';
import { createWavReader, MAX_WAV_DATA_BYTES, writeWav } from '../../../src/audio/pcm/wav.ts';

const SAMPLES = Float32Array.of(0, 0.25, -0.5, 0.75, -1, 0.125);
const EXACT: readonly SampleFormat[] = ['S16LE', 'S16BE', 'S24LE', 'S32LE', 'F32LE', 'U8'];

describe('a WAV file that is written', () => {
  test.each(Object.keys(BYTES_PER_SAMPLE) as SampleFormat[])('of %s is read as it was', sampleFormat => {
    const format = { sampleFormat, sampleRate: 22_050, channels: 2 };
    const bytes = encodePcm(SAMPLES, sampleFormat);
    const half = bytes.length / 3;
    const file = writeWav(format, 3, [bytes.subarray(0, half), bytes.subarray(half)]);
    const written = Buffer.concat([...file.bytes]);
    expect(written.length).toBe(file.size);
    const reader = createWavReader();
    const block = reader.push(written)!;
    expect(block.samples).toHaveLength(SAMPLES.length);
    expect(reader.format).toMatchObject({ sampleRate: 22_050, channels: 2 });
    for (const [index, sample] of SAMPLES.entries()) {
      expect(block.samples[index]).toBeCloseTo(sample, EXACT.includes(sampleFormat) ? 6 : 1);
    }
  });

  test('has an even number of bytes', () => {
    const file = writeWav({ sampleFormat: 'U8', sampleRate: 8000, channels: 1 }, 3, [new Uint8Array(3)]);
    const written = Buffer.concat([...file.bytes]);
    expect({ size: file.size, bytes: written.length, riff: written.readUInt32LE(4) }).toEqual({
      size: 48,
      bytes: 48,
      riff: 40,
    });
  });

  test('can be read twice', () => {
    const format = { sampleFormat: 'S16LE', sampleRate: 8000, channels: 1 } as const;
    const file = writeWav(format, 2, [new Uint8Array(4).fill(7)]);
    expect(Buffer.concat([...file.bytes])).toEqual(Buffer.concat([...file.bytes]));
  });

  test('is refused when its sizes cannot be said', () => {
    const format = { sampleFormat: 'U8', sampleRate: 8000, channels: 1 } as const;
    expect(() => writeWav(format, MAX_WAV_DATA_BYTES + 1, [])).toThrow('at most');
  });
});
