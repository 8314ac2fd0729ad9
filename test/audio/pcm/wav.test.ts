import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { encodePcm } from '../../../src/audio/pcm/pcm.ts';
import { createWavReader } from '../../../src/audio/pcm/wav.ts';
import type { WavFormat } from '../../../src/audio/pcm/wavHeader.ts';
import { WAV_HEADER_LIMIT } from '../../../src/audio/pcm/wavHeader.ts';
import {
  ALAW,
  concat,
  ds64Body,
  extensibleBody,
  FLOAT,
  formatBody,
  MULAW,
  riff,
  riffChunk,
  wav,
} from '../../helpers/wavBytes.ts';

interface Reading {
  readonly format: WavFormat | undefined;
  readonly samples: readonly number[];
}

/** Reads the pieces of a file, and checks the positions on the way. */
function read(...pieces: readonly Uint8Array[]): Reading {
  const reader = createWavReader();
  const samples: number[] = [];
  for (const piece of pieces) {
    const block = reader.push(piece);
    if (!block) continue;
    expect(block).toMatchObject({ sampleRate: reader.format?.sampleRate, channels: reader.format?.channels });
    expect(block.startFrame * block.channels).toBe(samples.length);
    samples.push(...block.samples);
  }
  return { format: reader.format, samples };
}

/** Cuts bytes at the given places, which may be anywhere and twice. */
function cutAt(bytes: Uint8Array, places: readonly number[]): Uint8Array[] {
  const ends = [...places.map(place => place % (bytes.length + 1)), bytes.length].sort((a, b) => a - b);
  return ends.map((end, i) => bytes.subarray(i === 0 ? 0 : ends[i - 1], end));
}

const WAVE = Float32Array.from([0, 0.5, -0.5, 0.25, -1, 0.125, -0.0625, 0.75]);
const S16 = encodePcm(WAVE, 'S16LE');
const FMT = riffChunk('fmt ', formatBody());
const F64 = new Uint8Array(Float64Array.from(WAVE).buffer);
const ODD = riffChunk('JUNK', Uint8Array.of(1, 2, 3));
const ODD_BODY = Buffer.from('INFOISFT\x05\0\0\0Lavf\0', 'latin1');
const LIST = riffChunk('LIST', Buffer.from('INFOISFT\x05\0\0\0test\0\0', 'latin1'));

/** Headers as they are found in the world; all hold `WAVE`, exactly. */
const variants: Readonly<Record<string, Uint8Array>> = {
  '16-bit PCM': wav(S16),
  'a format chunk with an empty extension': riff([
    riffChunk('fmt ', concat(formatBody(), Uint8Array.of(0, 0))),
    riffChunk('data', S16),
  ]),
  '8-bit PCM': wav(encodePcm(WAVE, 'U8'), { bits: 8 }),
  '24-bit PCM': wav(encodePcm(WAVE, 'S24LE'), { bits: 24 }),
  '32-bit PCM': wav(encodePcm(WAVE, 'S32LE'), { bits: 32 }),
  '12 bits in 2 bytes': wav(S16, { bits: 12 }),
  '20 bits in 3 bytes': wav(encodePcm(WAVE, 'S24LE'), { bits: 20 }),
  '32-bit float': wav(encodePcm(WAVE, 'F32LE'), { tag: FLOAT, bits: 32 }),
  '64-bit float': wav(F64, { tag: FLOAT, bits: 64 }),
  'a block align of 4 for 2 bytes': wav(S16, { bytesPerFrame: 4 }),
  'a block align of 1 for 2 bytes': wav(S16, { bytesPerFrame: 1 }),
  'a block align of 0': wav(S16, { bytesPerFrame: 0 }),
  'a block align of 4 for 3 bytes': wav(encodePcm(WAVE, 'S24LE'), { bits: 24, bytesPerFrame: 4 }),
  'extensible PCM with a block align of 4': riff([
    riffChunk('fmt ', extensibleBody({ bytesPerFrame: 4 })),
    riffChunk('data', S16),
  ]),
  'an odd chunk without padding': riff([
    FMT,
    riffChunk('LIST', ODD_BODY).subarray(0, -1),
    riffChunk('data', S16),
  ]),
  'odd chunks without padding on both sides of the format': riff([
    riffChunk('LIST', ODD_BODY).subarray(0, -1),
    FMT,
    riffChunk('cust', ODD_BODY).subarray(0, -1),
    riffChunk('data', S16),
  ]),
  'extensible PCM': riff([riffChunk('fmt ', extensibleBody()), riffChunk('data', S16)]),
  'extensible, 24 valid bits in 4 bytes': riff([
    riffChunk('fmt ', extensibleBody({ bits: 32, validBits: 24 })),
    riffChunk('data', encodePcm(WAVE, 'S32LE')),
  ]),
  'extensible float': riff([
    riffChunk('fmt ', extensibleBody({ tag: FLOAT, bits: 64 })),
    riffChunk('data', F64),
  ]),
  'unknown chunks before the format': riff([ODD, LIST, FMT, riffChunk('data', S16)]),
  'an odd chunk between format and data': riff([FMT, ODD, riffChunk('data', S16)]),
  'an empty chunk': riff([FMT, riffChunk('cue ', new Uint8Array(0)), riffChunk('data', S16)]),
  'chunks after the data': riff([FMT, riffChunk('data', S16), LIST, ODD]),
  'a data size of 0': wav(S16, {}, 0),
  'a data size of all ones': wav(S16, {}, 0xffff_ffff),
  'sizes of all ones': riff([FMT, riffChunk('data', S16, 0xffff_ffff)], 'RIFF', 0xffff_ffff),
  'the size that SoX writes to pipes': wav(S16, {}, 0x7fff_f000),
  'the size that arecord writes to pipes': wav(S16, {}, 0x8000_0000),
  RF64: riff(
    [riffChunk('ds64', ds64Body(16n)), FMT, riffChunk('data', S16, 0xffff_ffff), LIST],
    'RF64',
    0xffff_ffff,
  ),
  'RF64 with a table': riff(
    [riffChunk('ds64', ds64Body(16n, 3)), FMT, riffChunk('data', S16, 0xffff_ffff)],
    'RF64',
  ),
  'RF64 that a pipe wrote': riff(
    [riffChunk('ds64', ds64Body(0n)), FMT, riffChunk('data', S16, 0xffff_ffff)],
    'RF64',
  ),
  'RF64 whose long size is all ones': riff(
    [riffChunk('ds64', ds64Body(2n ** 64n - 73n)), FMT, riffChunk('data', S16, 0xffff_ffff)],
    'RF64',
  ),
  'RF64 with a short size': riff(
    [riffChunk('ds64', ds64Body(0n)), FMT, riffChunk('data', S16), LIST],
    'RF64',
  ),
  'RF64 without ds64': riff([FMT, riffChunk('data', S16, 0xffff_ffff)], 'RF64'),
  BW64: riff([riffChunk('ds64', ds64Body(16n)), FMT, riffChunk('data', S16, 0xffff_ffff)], 'BW64'),
};

describe('every way to write the same samples reads the same', () => {
  test.each(Object.entries(variants))('%s, also when it is cut anywhere', (_name, bytes) => {
    const { samples, format } = read(bytes);
    expect(samples).toEqual([...WAVE]);
    expect(format).toMatchObject({ sampleRate: 16000, channels: 1 });
    fc.assert(
      fc.property(fc.array(fc.nat(bytes.length), { maxLength: 12 }), places => {
        expect(read(...cutAt(bytes, places)).samples).toEqual([...WAVE]);
      }),
      { numRuns: 50 },
    );
    expect(read(...cutAt(bytes, [...bytes.keys()])).samples).toEqual([...WAVE]);
  });
});

test('A-law and mu-law are read by their own tables', () => {
  const laws = [
    [ALAW, 'ALAW', [0xd5, 0x2a, 0xaa]],
    [MULAW, 'MULAW', [0xff, 0x00, 0x80]],
  ] as const;
  for (const [tag, sampleFormat, bytes] of laws) {
    const reading = read(wav(Uint8Array.from(bytes), { tag, bits: 8 }));
    expect(reading.format).toEqual({ sampleFormat, sampleRate: 16000, channels: 1 });
    // Silence (or the nearest to it), then the loudest negative and the loudest positive value.
    expect(reading.samples[0]).toBeCloseTo(0, 3);
    expect(reading.samples[1]).toBeLessThan(-0.95);
    expect(reading.samples[2]).toBeGreaterThan(0.95);
  }
});

test('channels stay interleaved, and rates are kept', () => {
  const { samples, format } = read(wav(S16, { channels: 2, rate: 44100 }));
  expect(format).toEqual({ sampleFormat: 'S16LE', sampleRate: 44100, channels: 2 });
  expect(samples).toEqual([...WAVE]);
});

test('floats that are no number, or too large for 32 bits, are silence', () => {
  const data = new Uint8Array(Float64Array.from([Number.NaN, Number.POSITIVE_INFINITY, 1e300, 0.5]).buffer);
  expect(read(wav(data, { tag: FLOAT, bits: 64 })).samples).toEqual([0, 0, 0, 0.5]);
});

test('a file cut short keeps its whole frames', () => {
  expect(read(wav(S16).subarray(0, -5)).samples).toEqual([...WAVE.subarray(0, 5)]);
  expect(read(wav(S16, {}, 15)).samples).toEqual([...WAVE.subarray(0, 7)]);
});

const EXTENSIBLE_WITH_FOREIGN_GUID = extensibleBody({ guidTail: Array.from({ length: 14 }, () => 7) });

describe('the error of a file that cannot be read has a code', () => {
  test.each<[string, string, Uint8Array]>([
    ['text', 'audio-corrupt', Buffer.from('It was a truth universally acknowledged')],
    ['RIFF of another type', 'audio-corrupt', Buffer.from('RIFF\x10\0\0\0AVI LIST')],
    ['big-endian RIFX', 'audio-corrupt', riff([FMT], 'RIFX')],
    ['data before the format', 'audio-corrupt', riff([riffChunk('data', S16), FMT])],
    ['a short format chunk', 'audio-corrupt', riff([riffChunk('fmt ', formatBody().subarray(0, 14))])],
    ['an empty format chunk', 'audio-corrupt', riff([riffChunk('fmt ', new Uint8Array(0))])],
    [
      'a short extensible chunk',
      'audio-corrupt',
      riff([riffChunk('fmt ', extensibleBody().subarray(0, 24))]),
    ],
    ['a short ds64 chunk', 'audio-corrupt', riff([riffChunk('ds64', new Uint8Array(8))], 'RF64')],
    ['no channels', 'audio-corrupt', wav(S16, { channels: 0 })],
    ['a rate of 0', 'audio-corrupt', wav(S16, { rate: 0 })],
    ['a rate of 4 GHz', 'audio-corrupt', wav(S16, { rate: 0xffff_ffff, bytesPerFrame: 1 })],
    ['0 bits', 'audio-unsupported', wav(S16, { bits: 0 })],
    ['64-bit PCM', 'audio-unsupported', wav(S16, { bits: 64 })],
    ['16-bit floats', 'audio-unsupported', wav(S16, { tag: FLOAT })],
    ['ADPCM', 'audio-unsupported', wav(S16, { tag: 2, bits: 4 })],
    ['a foreign subformat', 'audio-unsupported', riff([riffChunk('fmt ', EXTENSIBLE_WITH_FOREIGN_GUID)])],
  ])('%s: %s', (_name, code, bytes) => {
    expect(() => read(bytes)).toThrow(expect.objectContaining({ name: 'RxscribeError', code }));
    expect(() => read(...cutAt(bytes, [...bytes.keys()]))).toThrow(expect.objectContaining({ code }));
  });

  test('a reader that has failed fails again, and does not hang', () => {
    const reader = createWavReader();
    const bytes = riff([riffChunk('fmt ', new Uint8Array(0))]);
    for (let i = 0; i < 3; i++) {
      expect(() => reader.push(bytes)).toThrow(expect.objectContaining({ code: 'audio-corrupt' }));
    }
  });

  test('random bytes never give anything but a named error', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 200 }), fc.boolean(), (noise, afterMagic) => {
        const bytes = afterMagic ? riff([noise]) : noise;
        try {
          read(bytes);
        } catch (error) {
          expect((error as { code?: string }).code).toMatch(/^audio-(corrupt|unsupported)$/);
        }
      }),
    );
  });
});

describe('the header has a limit', () => {
  const before = 12 + FMT.length + 8 + 8;
  const withSkipped = (bytes: number) =>
    riff([FMT, riffChunk('JUNK', new Uint8Array(bytes)), riffChunk('data', S16)]);

  test('a header of exactly the limit is read', () => {
    expect(read(withSkipped(WAV_HEADER_LIMIT - before)).samples).toEqual([...WAVE]);
  });

  test('a longer one fails before its chunk is waited for', () => {
    const bytes = withSkipped(WAV_HEADER_LIMIT - before + 2);
    expect(() => createWavReader().push(bytes)).toThrow(expect.objectContaining({ code: 'audio-corrupt' }));
    expect(() => createWavReader().push(bytes)).toThrow(
      `its header would have ${WAV_HEADER_LIMIT + 2} bytes`,
    );
    const hugeChunk = riff([FMT, riffChunk('JUNK', new Uint8Array(0), 0x7000_0000)]);
    expect(() => createWavReader().push(hugeChunk)).toThrow(
      expect.objectContaining({ code: 'audio-corrupt' }),
    );
  });

  test('many small chunks count as well', () => {
    const chunks = Array.from({ length: 1000 }, () => riffChunk('JUNK', new Uint8Array(99)));
    const many = concat(...chunks);
    const reader = createWavReader();
    reader.push(riff([FMT]));
    expect(() => {
      for (let i = 0; i * many.length <= WAV_HEADER_LIMIT; i++) reader.push(many);
    }).toThrow(expect.objectContaining({ code: 'audio-corrupt' }));
  });
});
