import fc from 'fast-check';
import { Type } from 'typebox';
import { describe, expect, expectTypeOf, test } from 'vitest';
import { languageOf } from '../../src/protocol/language.ts';
import { type Camel, fromWire, toWire } from '../../src/protocol/wireNames.ts';

const Schema = Type.Object(
  {
    created_on: Type.String(),
    metadata: Type.Optional(Type.String()),
    source_config: Type.Optional(Type.Object({ auth_headers: Type.Unknown() })),
    speaker_names: Type.Optional(Type.Array(Type.Object({ display_name: Type.String() }))),
    custom_words: Type.Optional(
      Type.Array(Type.Union([Type.Object({ long_phrases: Type.Array(Type.String()) }), Type.String()])),
    ),
    by_name: Type.Optional(Type.Record(Type.String(), Type.Array(Type.String()))),
  },
  { additionalProperties: true },
);

describe('names of the wire', () => {
  const wire = {
    created_on: 'now_or_never',
    metadata: '{"snake_case":1}',
    source_config: { auth_headers: { X_Free_Form: 'stays_so' } },
    speaker_names: [{ display_name: 'A_B' }],
    custom_words: [{ long_phrases: ['a_b'] }, 'c_d'],
    by_name: { 'custom_words[0]': ['wrong_word'] },
    of_a_later_version: { also_this: true },
  };
  const program = {
    createdOn: 'now_or_never',
    metadata: '{"snake_case":1}',
    sourceConfig: { authHeaders: { X_Free_Form: 'stays_so' } },
    speakerNames: [{ displayName: 'A_B' }],
    customWords: [{ longPhrases: ['a_b'] }, 'c_d'],
    byName: { 'custom_words[0]': ['wrong_word'] },
    of_a_later_version: { also_this: true },
  };

  test('are renamed where the schema names them, and nowhere else', () => {
    expect(fromWire(Schema, wire)).toEqual(program);
    expect(toWire(Schema, program)).toEqual(wire);
  });

  test('come back from those of programs, whatever the values', () => {
    const text = fc.string();
    const value = fc.record(
      {
        created_on: text,
        metadata: text,
        source_config: fc.record({ auth_headers: fc.jsonValue() }),
        speaker_names: fc.array(fc.record({ display_name: text })),
        custom_words: fc.array(fc.oneof(text, fc.record({ long_phrases: fc.array(text) }))),
        by_name: fc.dictionary(text, fc.array(text)),
        of_a_later_version: fc.jsonValue(),
      },
      { requiredKeys: ['created_on'] },
    );
    fc.assert(
      fc.property(value, json => {
        const before = structuredClone(json);
        expect(toWire(Schema, fromWire(Schema, json))).toEqual(before);
        expect(json).toEqual(before);
      }),
    );
  });

  test('of JSON that means harm become fields like any other', () => {
    const harm = JSON.parse('{"created_on":"a","__proto__":{"polluted":1}}');
    expect(fromWire(Schema, harm)).not.toHaveProperty('polluted');
  });

  test('have types to match', () => {
    interface Wire {
      created_on: string;
      word_count_2?: number;
      of_list: readonly { end_ts: number }[];
      by_name: Record<string, string[]>;
    }
    expectTypeOf<Camel<Wire>>().toEqualTypeOf<{
      readonly createdOn: string;
      readonly wordCount2?: number;
      readonly ofList: readonly { readonly endTs: number }[];
      readonly byName: { readonly [x: string]: readonly string[] };
    }>();
  });
});

test.each([
  ['en', 'en'],
  ['en-US', 'en'],
  ['en-us', 'en'],
  ['en_US', 'en'],
  ['EN', 'en'],
  ['en_US.UTF-8', 'en'],
  ['de_DE@euro', 'de'],
  ['zh-Hans-CN', 'zh'],
  ['yue-HK', 'yue'],
  ['es-419', 'es'],
  ['de-CH-1996', 'de'],
])('%s is the language %s', (tag, language) => {
  expect(languageOf(tag)).toBe(language);
});

test.each(['', 'e', 'english', 'en US', 'en-', '-US', 'en--US', 'en-Transylvanian', 'en\n'])(
  'a text that is no tag is unchanged: %j',
  tag => {
    expect(languageOf(tag)).toBe(tag);
  },
);
