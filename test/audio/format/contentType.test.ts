import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { formatContentType, parseContentType } from '../../../src/audio/format/contentType.ts';
import { BYTES_PER_SAMPLE, type SampleFormat } from '../../../src/audio/format/format.ts';

const raw = fc.record({
  kind: fc.constant('raw' as const),
  layout: fc.constantFrom('interleaved' as const, 'non-interleaved' as const),
  format: fc.record({
    sampleFormat: fc.constantFrom(...(Object.keys(BYTES_PER_SAMPLE) as SampleFormat[])),
    sampleRate: fc.integer({ min: 8000, max: 48_000 }),
    channels: fc.integer({ min: 1, max: 10 }),
  }),
});
const container = fc.constantFrom(
  { kind: 'wav' as const },
  { kind: 'flac' as const },
  { kind: 'mp3' as const },
  { kind: 'ogg' as const },
  { kind: 'any' as const },
);

describe('a content type', () => {
  test('is read as it was printed', () => {
    fc.assert(
      fc.property(fc.oneof(raw, container), type => {
        expect(parseContentType(formatContentType(type))).toEqual(type);
      }),
    );
  });

  test('may have its parameters in any order, quoted, and with white space', () => {
    expect(
      parseContentType(' AUDIO/x-raw ; channels=2; format="s16le" ;rate = 8000;layout=Interleaved;'),
    ).toEqual({
      kind: 'raw',
      layout: 'interleaved',
      format: { sampleFormat: 'S16LE', sampleRate: 8000, channels: 2 },
    });
  });

  test.each([
    ['audio/wav', 'wav'],
    ['audio/x-wav', 'wav'],
    ['Audio/FLAC', 'flac'],
    ['audio/x-flac', 'flac'],
    ['audio/mpeg', 'mp3'],
    ['audio/ogg;codecs=opus', 'ogg'],
    ['audio/*', 'any'],
  ])('of a container is read: %s', (text, kind) => {
    expect(parseContentType(text)).toEqual({ kind });
  });

  test.each([
    '',
    'audio/mp3',
    'audio/x-raw',
    'audio/x-raw;layout=interleaved;rate=16000;format=S16LE',
    'audio/x-raw;layout=interleaved;rate=7999;format=S16LE;channels=1',
    'audio/x-raw;layout=interleaved;rate=48001;format=S16LE;channels=1',
    'audio/x-raw;layout=interleaved;rate=1e4;format=S16LE;channels=1',
    'audio/x-raw;layout=interleaved;rate=16000;format=S16LE;channels=0',
    'audio/x-raw;layout=interleaved;rate=16000;format=S16LE;channels=11',
    'audio/x-raw;layout=sideways;rate=16000;format=S16LE;channels=1',
    'audio/x-raw;layout=interleaved;rate=16000;format=toString;channels=1',
    'constructor',
  ])('refuses "%s"', text => {
    expect(() => parseContentType(text)).toThrow(/content type .*\.$/i);
  });
});
