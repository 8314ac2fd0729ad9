import { describe, expect, test } from 'vitest';
import { CLOSE, closeReason, MAX_CLOSE_REASON_BYTES } from '../../src/protocol/closeCodes.ts';
import { brandNames } from '../../src/protocol/interfaceNames.ts';
import { decodeTranscript, encodeTranscript } from '../../src/protocol/transcriptJson.ts';
import { parseVocabularies } from '../../src/protocol/vocabularies.ts';

describe('the brand word', () => {
  test('fills the paths and media types', () => {
    expect(brandNames('acme')).toMatchObject({
      legacyPrefix: '/acmespeech/v1beta',
      transcriptMediaType: 'application/vnd.acme.transcript.v1.0+json',
    });
  });

  test.each(['', 'Acme', '1a', 'a/b', 'a b', 'a'.repeat(33)])('cannot be "%s"', brand => {
    expect(() => brandNames(brand)).toThrow('brand');
  });
});

describe('a close reason', () => {
  test('is as the interface has it', () => {
    expect(closeReason(CLOSE.endOfInput)).toBe('End of input. Closing');
    expect(closeReason(CLOSE.badRequest, 'content_type')).toBe('Bad request: content_type');
  });

  test('fits a close frame and is not cut inside a character', () => {
    for (let length = 100; length < 130; length++) {
      const reason = closeReason(CLOSE.badRequest, `${'x'.repeat(length)}${'é€😀'.repeat(9)}`);
      expect(Buffer.byteLength(reason)).toBeLessThanOrEqual(MAX_CLOSE_REASON_BYTES);
      expect(reason).not.toContain('\uFFFD');
    }
  });
});

describe('the transcript on the wire', () => {
  const json = {
    monologues: [
      {
        speaker: 1,
        speaker_info: { id: 'a', display_name: 'Ann' },
        elements: [
          { type: 'text' as const, value: 'Hi', ts: 0.1, end_ts: 0.5, confidence: 0.9 },
          { type: 'punct' as const, value: '.' },
          { type: 'unknown' as const, value: '<inaudible>' },
        ],
      },
    ],
  };

  test('is read as it was written', () => {
    expect(encodeTranscript(decodeTranscript(json))).toEqual(json);
  });

  test('has seconds to two decimals', () => {
    const elements = [{ type: 'text' as const, value: 'a', ts: 1.23456, endTs: 2.3 + 0.1 }];
    expect(encodeTranscript({ monologues: [{ speaker: 0, elements }] }).monologues[0]?.elements[0]).toEqual({
      type: 'text',
      value: 'a',
      ts: 1.23,
      end_ts: 2.4,
    });
  });
});

describe('vocabularies', () => {
  test('may be plain strings', () => {
    expect(parseVocabularies(['rx scribe', { phrases: [' a ', 'b'] }])).toEqual([
      { phrases: ['rx scribe'] },
      { phrases: ['a', 'b'] },
    ]);
  });

  test.each([
    ['none', []],
    ['51', Array(51).fill('a')],
    ['no list', {}],
    ['an empty list of phrases', [{ phrases: [] }]],
    ['6001 phrases', [{ phrases: Array(6001).fill('a') }]],
    ['a phrase of 13 words', [{ phrases: ['a '.repeat(13)] }]],
    ['a word of 35 characters', ['a'.repeat(35)]],
    ['no letter', ['42']],
    ['a number', [42]],
    ['null', [null]],
  ])('refuse %s', (_, json) => {
    expect(() => parseVocabularies(json)).toThrow();
  });

  test('accept values at each limit', () => {
    expect(() => parseVocabularies(Array(50).fill('a'))).not.toThrow();
    expect(() => parseVocabularies([{ phrases: Array(6000).fill('a') }])).not.toThrow();
    expect(() => parseVocabularies(['a '.repeat(12), 'a'.repeat(34)])).not.toThrow();
  });
});
