import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { RxscribeError } from '../../src/base/errors.ts';
import { decodeMessage, encodeMessage, UnknownMessageError } from '../../src/protocol/messages.ts';
import type { TranscriptEvent } from '../../src/transcript/model/events.ts';

const hundredths = (max: number) => fc.integer({ min: 0, max }).map(value => value / 100);
const words = fc.record(
  {
    type: fc.constant('text' as const),
    value: fc.string(),
    ts: hundredths(1e6),
    endTs: hundredths(1e6),
    confidence: hundredths(100),
  },
  { requiredKeys: ['type', 'value'] },
);
const span = fc.tuple(hundredths(1e6), fc.integer({ min: 1, max: 3000 })).map(([ts, length]) => ({
  ts,
  endTs: Math.round(ts * 100 + length) / 100,
}));
const punct = fc.record({ type: fc.constantFrom('punct' as const, 'unknown' as const), value: fc.string() });
const events: fc.Arbitrary<TranscriptEvent> = fc.oneof(
  fc.record({ type: fc.constant('connected' as const), id: fc.string({ minLength: 1 }) }),
  fc
    .tuple(span, fc.array(words))
    .map(([times, elements]) => ({ type: 'partial' as const, ...times, elements })),
  fc
    .tuple(span, fc.array(fc.oneof(words, punct)), fc.option(fc.nat(9), { nil: undefined }))
    .map(([times, elements, speaker]) => ({
      type: 'final' as const,
      ...times,
      elements,
      ...(speaker !== undefined && { speaker }),
    })),
);

describe('a stream message', () => {
  test('is read as it was written', () => {
    fc.assert(
      fc.property(events, event => {
        expect(decodeMessage(JSON.stringify(encodeMessage(event)))).toEqual({ event });
      }),
    );
  });

  test('keeps a final whose end is not after its start, and says so', () => {
    const { event, warning } = decodeMessage(
      '{"type":"final","ts":2,"end_ts":2,"elements":[{"type":"text","value":"Yes"}]}',
    );
    expect(event).toMatchObject({ type: 'final', ts: 2, elements: [{ value: 'Yes' }] });
    expect((event as { endTs: number }).endTs).toBeGreaterThan(2);
    expect(warning).toContain('not after its start');
  });

  test('keeps words whose numbers are a little out of range', () => {
    const word = { type: 'text', value: 'Yes', ts: -0.01, end_ts: 0.4, confidence: 1.0001 };
    const { event } = decodeMessage(JSON.stringify({ type: 'final', ts: 0, end_ts: 1, elements: [word] }));
    expect(event).toMatchObject({ elements: [{ value: 'Yes', ts: 0, endTs: 0.4, confidence: 1 }] });
  });

  test.each([
    ['malformed JSON', '{"type":"final", secret words'],
    ['null', 'null'],
    ['a number', '3'],
    ['an array', '[]'],
    ['no type', '{}'],
    ['a partial without elements', '{"type":"partial","ts":0,"end_ts":1}'],
    ['a final with text for a time', '{"type":"final","ts":"0","end_ts":1,"elements":[]}'],
    ['a connected without an id', '{"type":"connected"}'],
    [
      'an element of an unknown kind',
      '{"type":"final","ts":0,"end_ts":1,"elements":[{"type":"video","value":"x"}]}',
    ],
  ])('with %s is a protocol error that does not quote it', (_, text) => {
    try {
      decodeMessage(text);
      expect.unreachable();
    } catch (error) {
      expect(error).toBeInstanceOf(RxscribeError);
      expect(error).toMatchObject({ code: 'protocol' });
      expect(String(error)).not.toContain('secret');
    }
  });

  test.each([
    ['{"type":"final","ts":"0","end_ts":1,"elements":[]}', 'is not valid: final/ts must be a number'],
    ['{"type":"final","ts":0,"end_ts":1e999,"elements":[]}', 'is not valid: final/end_ts must be a number'],
    ['{"type":"final","ts":0,"end_ts":1,"elements":{}}', 'is not valid: final/elements must be an array'],
    [
      '{"type":"final","ts":0,"end_ts":1,"elements":[],"speaker_id":-1}',
      'is not valid: final/speaker_id must',
    ],
    [
      '{"type":"final","ts":0,"end_ts":1,"elements":[],"speaker_id":null}',
      'is not valid: final/speaker_id must',
    ],
    ['{"type":"connected","id":""}', 'is not valid: connected/id must be a string that is not empty'],
    ...[
      '{}',
      'null',
      '"text"',
      '{"type":"text","value":1}',
      '{"type":"punct","value":"."}',
      '{"type":"text","value":"a","ts":"0"}',
      '{"type":"text","value":"a","confidence":null}',
    ].map(element => [
      `{"type":"partial","ts":0,"end_ts":1,"elements":[{"type":"text","value":"a"},${element}]}`,
      'is not valid: partial/elements/1 must have',
    ]),
    ['{}', 'must be an object with a type.'],
  ])('a malformed one is refused with the place: %s', (text, where) => {
    expect(() => decodeMessage(text)).toThrow(where);
  });

  test('of an unknown type is distinguished from a broken one', () => {
    expect(() => decodeMessage('{"type":"hypothesis"}')).toThrow(UnknownMessageError);
  });
});
