import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { BYTES_PER_SAMPLE, type SampleFormat } from '../../../src/audio/format/format.ts';
import { decodePcm, encodePcm, toInt16 } from '../../../src/audio/pcm/pcm.ts';
import { InvalidArgumentError } from '../../../src/base/errors.ts';

const FORMATS = Object.keys(BYTES_PER_SAMPLE) as SampleFormat[];

/** The one value whose code is not unique. */
const negativeZeroOfMulaw = 0x7f;

function wholeSamples(sampleFormat: SampleFormat): fc.Arbitrary<Uint8Array> {
  const width = BYTES_PER_SAMPLE[sampleFormat];
  return fc
    .uint8Array({ maxLength: 64 * width })
    .map(bytes => bytes.slice(0, bytes.length - (bytes.length % width)));
}

function nearest(sample: number): number {
  return Math.min(32_767, Math.max(-32_768, Math.floor(sample * 32_768 + 0.5)));
}

/** Returns the next float with 32 bits after one, upwards or downwards in its size. */
function nextFloat(sample: number, step: 1 | -1): number {
  const bits = new Int32Array(Float32Array.of(sample).buffer);
  bits[0]! += sample === 0 ? 1 : step;
  return new Float32Array(bits.buffer)[0]!;
}

describe('decode then encode gives the same bytes', () => {
  test.for(['S16LE', 'S16BE', 'S24LE', 'U8', 'ALAW'] as const)('for %s, every value', sampleFormat => {
    fc.assert(
      fc.property(wholeSamples(sampleFormat), bytes => {
        expect(encodePcm(decodePcm(bytes, { sampleFormat }), sampleFormat)).toEqual(bytes);
      }),
    );
  });

  test('for MULAW, every value but the negative zero, which becomes the positive', () => {
    const codes = Uint8Array.from({ length: 256 }, (_, code) => code);
    const expected = codes.map(code => (code === negativeZeroOfMulaw ? 0xff : code));
    expect(encodePcm(decodePcm(codes, { sampleFormat: 'MULAW' }), 'MULAW')).toEqual(expected);
  });

  test('for all 65536 values of 16 bits', () => {
    const values = Int16Array.from({ length: 65_536 }, (_, i) => i - 32_768);
    const bytes = new Uint8Array(values.buffer);
    expect(toInt16(decodePcm(bytes, { sampleFormat: 'S16LE' }))).toEqual(values);
    expect(encodePcm(decodePcm(bytes, { sampleFormat: 'S16LE' }), 'S16LE')).toEqual(bytes);
  });

  test('for S32LE, to the 24 bits that a float holds', () => {
    fc.assert(
      fc.property(fc.integer({ min: -(2 ** 23), max: 2 ** 23 - 1 }), value => {
        const bytes = new Uint8Array(Int32Array.of(value * 256).buffer);
        expect(encodePcm(decodePcm(bytes, { sampleFormat: 'S32LE' }), 'S32LE')).toEqual(bytes);
      }),
    );
  });
});

describe('encode then decode', () => {
  test('keeps every finite float of F32LE', () => {
    const floats = fc.float32Array({ noNaN: true, noDefaultInfinity: true });
    fc.assert(
      fc.property(floats, samples => {
        const decoded = decodePcm(encodePcm(samples, 'F32LE'), { sampleFormat: 'F32LE' });
        // Adding 0 makes the negative zero, which is no different sound, positive.
        expect(decoded).toEqual(samples.map(sample => sample + 0));
      }),
    );
  });

  test.for(FORMATS)('stays within half a step of %s', sampleFormat => {
    const halfStep = {
      S16LE: 2 ** -16,
      S16BE: 2 ** -16,
      S24LE: 2 ** -24,
      S32LE: 2 ** -25,
      F32LE: 0,
      U8: 2 ** -8,
    };
    // Each segment of G.711 has 16 steps of 1/16 of its start. Mu-law biases values by 132 before. Rounding to 16 bits
    // adds a half, which may also reach the next segment.
    const companded = (sample: number, bias: number) =>
      (Math.abs(sample) + (bias + 0.5) / 32_768) / 32 + 0.5 / 32_768;
    const within = (sample: number) => {
      if (sampleFormat === 'MULAW') return companded(sample, 132);
      if (sampleFormat === 'ALAW') return Math.max(companded(sample, 0), 8.5 / 32_768);
      return halfStep[sampleFormat];
    };
    const samples = fc.float({ min: -1, max: Math.fround(0.98), noNaN: true });
    fc.assert(
      fc.property(samples, sample => {
        const [decoded] = decodePcm(encodePcm(Float32Array.of(sample), sampleFormat), { sampleFormat });
        expect(Math.abs(decoded! - sample)).toBeLessThanOrEqual(within(sample));
      }),
    );
  });
});

describe('known values', () => {
  test.for([
    ['S16LE', [0x00, 0x80], -1],
    ['S16BE', [0x80, 0x00], -1],
    ['S16BE', [0x40, 0x00], 0.5],
    ['S24LE', [0xff, 0xff, 0xff], -(2 ** -23)],
    ['S32LE', [0x00, 0x00, 0x00, 0x40], 0.5],
    ['F32LE', [0x00, 0x00, 0x80, 0x3e], 0.25],
    ['U8', [0x80], 0],
    ['U8', [0x00], -1],
    // ITU-T G.711 tables 1 and 2: the largest values, 4032 of 12 bits and 8031 of 13 bits.
    ['ALAW', [0xaa], 32_256 / 32_768],
    ['ALAW', [0x2a], -32_256 / 32_768],
    ['ALAW', [0xd5], 8 / 32_768],
    ['MULAW', [0x80], 32_124 / 32_768],
    ['MULAW', [0x00], -32_124 / 32_768],
    ['MULAW', [0xff], 0],
  ] as const)('%s %j is %d', ([sampleFormat, bytes, sample]) => {
    expect([...decodePcm(Uint8Array.from(bytes), { sampleFormat })]).toEqual([sample]);
  });
});

describe('a value beyond the format', () => {
  test.for([
    ['S16LE', [0xff, 0x7f, 0x00, 0x80, 0x00, 0x00]],
    ['S16BE', [0x7f, 0xff, 0x80, 0x00, 0x00, 0x00]],
    ['S24LE', [0xff, 0xff, 0x7f, 0x00, 0x00, 0x80, 0x00, 0x00, 0x00]],
    ['S32LE', [0xff, 0xff, 0xff, 0x7f, 0x00, 0x00, 0x00, 0x80, 0x00, 0x00, 0x00, 0x00]],
    ['U8', [0xff, 0x00, 0x80]],
    ['MULAW', [0x80, 0x00, 0xff]],
    ['ALAW', [0xaa, 0x2a, 0xd5]],
  ] as const)('saturates in %s, and NaN is 0', ([sampleFormat, bytes]) => {
    const wild = Float32Array.of(2, Number.NEGATIVE_INFINITY, Number.NaN);
    expect([...encodePcm(wild, sampleFormat)]).toEqual([...bytes]);
  });

  test('of 16 bits rounds to the nearest, halves upwards, for all lengths', () => {
    const halves = fc.integer({ min: -65_600, max: 65_600 }).chain(half => {
      const sample = Math.fround(half / 65_536);
      return fc.constantFrom(sample, nextFloat(sample, 1), nextFloat(sample, -1));
    });
    const samples = fc.array(fc.oneof(halves, fc.float()), { maxLength: 40 });
    const lengths = fc.constantFrom(0, 1, 8185, 8192, 8193, 20_000);
    fc.assert(
      fc.property(samples, lengths, (tail, length) => {
        const all = Float32Array.of(...new Float32Array(length).fill(0.25), ...tail);
        expect(toInt16(all)).toEqual(Int16Array.from(all, nearest));
      }),
    );
  });

  test('is 0 when a float is not finite', () => {
    const bytes = new Uint8Array(Float32Array.of(Number.NaN, Number.POSITIVE_INFINITY, 3).buffer);
    expect([...decodePcm(bytes, { sampleFormat: 'F32LE' })]).toEqual([0, 0, 3]);
  });
});

test('bytes may start at any offset of their buffer', () => {
  const bytes = Uint8Array.from([9, 0x00, 0x40, 0x00, 0xc0]).subarray(1);
  expect([...decodePcm(bytes, { sampleFormat: 'S16LE' })]).toEqual([0.5, -0.5]);
});

test('half a sample is refused', () => {
  expect(() => decodePcm(new Uint8Array(3), { sampleFormat: 'S16LE' })).toThrow(InvalidArgumentError);
  expect(() => decodePcm(new Uint8Array(3), { sampleFormat: 'S16LE' })).toThrow(
    '3 bytes are not whole samples of 2 bytes.',
  );
});
