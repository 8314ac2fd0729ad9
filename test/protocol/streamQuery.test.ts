import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  formatStreamQuery,
  parseStreamQuery,
  type StreamQuery,
  StreamQueryError,
} from '../../src/protocol/streamQuery.ts';

const CONTENT_TYPE = 'audio/x-raw;layout=interleaved;rate=16000;format=S16LE;channels=1';
const parse = (query: string) => parseStreamQuery(new URLSearchParams(query));

const queries: fc.Arbitrary<StreamQuery> = fc.record(
  {
    contentType: fc.constantFrom(
      { kind: 'wav' as const },
      {
        kind: 'raw' as const,
        layout: 'interleaved' as const,
        format: { sampleFormat: 'S24LE' as const, sampleRate: 44_100, channels: 2 },
      },
    ),
    metadata: fc
      .string({ minLength: 1, maxLength: 256, unit: 'grapheme' })
      .filter(text => Array.from(text).length <= 512),
    language: fc.constantFrom('en', 'fr'),
    customVocabularies: fc.constant([{ phrases: ['Ångström & co'] }]),
    filterProfanity: fc.boolean(),
    removeDisfluencies: fc.boolean(),
    skipPostprocessing: fc.boolean(),
    deleteAfterSeconds: fc.integer({ min: 0, max: 2_592_000 }),
    detailedPartials: fc.boolean(),
    startTs: fc.double({ min: 0, max: 1e9, noNaN: true }),
    maxSegmentDurationSeconds: fc.double({ min: 5, max: 30, noNaN: true }),
    maxConnectionWaitSeconds: fc.double({ min: 60, max: 600, noNaN: true }),
  },
  { requiredKeys: ['contentType'] },
);

describe('a stream query', () => {
  test('reads back what it printed', () => {
    fc.assert(
      fc.property(queries, query => {
        expect(parse(formatStreamQuery(query))).toEqual(query);
      }),
    );
  });

  test('is read with its values percent-encoded or not', () => {
    expect(parse(`content_type=${CONTENT_TYPE}`)).toEqual(
      parse(`content_type=${encodeURIComponent(CONTENT_TYPE)}`),
    );
  });

  test('takes empty values for unset and passes over what it does not know', () => {
    expect(parse(`content_type=audio/*&metadata=&custom_vocabulary_id=&colour=red`)).toEqual({
      contentType: { kind: 'any' },
    });
  });

  test('names all its faults at once', () => {
    const query =
      'content_type=audio/mp3&delete_after_seconds=2592001&filter_profanity=yes&max_segment_duration_seconds=4';
    expect(() => parse(query)).toThrow(StreamQueryError);
    try {
      parse(query);
    } catch (error) {
      expect((error as StreamQueryError).faults).toHaveLength(4);
    }
  });

  test.each([
    ['content_type missing', ''],
    ['metadata too long', `content_type=audio/*&metadata=${'a'.repeat(513)}`],
    ['metadata of too many emoji', `content_type=audio/*&metadata=${'😀'.repeat(513)}`],
    ['a start that is no number', 'content_type=audio/*&start_ts=NaN'],
    ['a negative start', 'content_type=audio/*&start_ts=-1'],
    ['vocabularies that are not JSON', 'content_type=audio/*&custom_vocabularies={'],
    ['vocabularies both ways', 'content_type=audio/*&custom_vocabulary_id=cv1&custom_vocabularies=["a"]'],
  ])('refuses %s', (_, query) => {
    expect(() => parse(query)).toThrow(StreamQueryError);
  });

  test.each([
    'metadata',
    'max_connection_wait_seconds=60',
    `metadata=${'a'.repeat(512)}`,
    `metadata=${'😀'.repeat(512)}`,
    'delete_after_seconds=2592000',
    'max_segment_duration_seconds=30',
  ])('accepts a value at its limit: %s', parameter => {
    expect(() => parse(`content_type=audio/*&${parameter}`)).not.toThrow();
  });

  test('is not printed when it could not be read back', () => {
    expect(() => formatStreamQuery({ contentType: { kind: 'wav' }, startTs: Number.NaN })).toThrow(
      StreamQueryError,
    );
  });
});
