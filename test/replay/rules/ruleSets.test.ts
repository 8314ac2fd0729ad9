import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { InvalidArgumentError } from '../../../src/base/errors.ts';
import type { RuleSet } from '../../../src/replay/rules/ruleSet.ts';
import { RULE_SET_NAMES, ruleSetFor, ruleSetNamed } from '../../../src/replay/rules/ruleSets.ts';
import fragments from './fragments.json' with { type: 'json' };

const SETS = [...RULE_SET_NAMES, 'unicode-1:tr', 'unicode-1:th', 'unicode-1:zh-TW'].map(ruleSetNamed);
const said = (rules: RuleSet, text: string) => rules.words(text).map(({ word }) => word);

/** Pieces of texts: words of the rules, marks, scripts, and code units that are not characters. */
const fragment = fc.oneof(
  fc.constantFrom(...fragments, ...['\uD800', '\uDC00', '\u0000', '\uFEFF', '\u2028', '👩‍👩‍👧', '1️⃣']),
  fc.string({ unit: 'binary', maxLength: 6 }),
  fc.string({ unit: 'grapheme', maxLength: 6 }),
  fc.string({ maxLength: 6 }),
);
const text = fc
  .array(fc.tuple(fragment, fc.constantFrom(' ', ' ', ' ', '', '\n', '-', ',')), { maxLength: 14 })
  .map(parts => parts.flat().join(''));

describe('a rule set', () => {
  test.each(SETS.map(set => [set.name, set] as const))(
    '%s has words with places in order in the text',
    (_, rules) => {
      fc.assert(
        fc.property(text, text => {
          let before = { start: 0, end: 0 };
          for (const { word, start, end } of rules.words(text)) {
            expect(word).toMatch(/^\S+$/u);
            expect(start).toBeGreaterThanOrEqual(before.start);
            expect(end).toBeGreaterThanOrEqual(before.end);
            expect(end).toBeGreaterThan(start);
            expect(end).toBeLessThanOrEqual(text.length);
            before = { start, end };
          }
        }),
        { numRuns: 300 },
      );
    },
  );

  test.each(SETS.map(set => [set.name, set] as const))('%s is idempotent', (_, rules) => {
    fc.assert(
      fc.property(text, text => {
        const words = said(rules, text);
        expect(said(rules, words.join(' '))).toEqual(words);
        expect(said(rules, text)).toEqual(words);
      }),
      { numRuns: 1000 },
    );
  });

  test.each(RULE_SET_NAMES)('%s accepts a megabyte of anything', { tags: 'slow' }, name => {
    const units = [
      'a',
      'a ',
      '([<',
      '1,',
      "n't",
      'one ',
      'double ',
      'and a half ',
      'million ',
      '研究',
      'ไทย',
      '\uD800',
    ];
    for (const unit of units) {
      const words = ruleSetNamed(name).words(unit.repeat(Math.ceil(1_000_000 / unit.length)));
      expect(words.length).toBeLessThanOrEqual(1_000_000);
    }
  });
});

describe('choosing a rule set', () => {
  test.each(RULE_SET_NAMES)('%s has its name', name => {
    expect(ruleSetNamed(name).name).toBe(name);
    expect(ruleSetNamed(name).description).not.toBe('');
  });

  test('an unknown name is an error with the known names', () => {
    expect(() => ruleSetNamed('english-9')).toThrow(InvalidArgumentError);
    expect(() => ruleSetNamed('english-9')).toThrow(
      /'english-9' is not known \(known: english-1, unicode-1, plain-1/,
    );
    expect(() => ruleSetNamed('toString')).toThrow(InvalidArgumentError);
  });

  test.each(['en', 'EN', 'en-GB', 'en_us', 'en-Latn-US'])('%s is scored as English', language => {
    expect(ruleSetFor(language).name).toBe('english-1');
  });

  test.each([
    ['de', 'unicode-1:de'],
    ['pt_br', 'unicode-1:pt-BR'],
    ['cmn', 'unicode-1:zh'],
    ['enm', 'unicode-1:enm'],
    ['und', 'unicode-1'],
  ])('%s is scored by Unicode', (language, name) => {
    expect(ruleSetFor(language).name).toBe(name);
    expect(ruleSetNamed(name).name).toBe(name);
  });

  test('an invalid language is an error', () => {
    expect(() => ruleSetFor('no language!')).toThrow(InvalidArgumentError);
    expect(() => ruleSetNamed('unicode-1:!')).toThrow(InvalidArgumentError);
    expect(() => ruleSetFor('')).toThrow(InvalidArgumentError);
  });
});

test('an hour of text is normalized quickly', () => {
  const speech =
    'The first of twenty one colours, he said, is $5 or three hundred and five; it isn’t grey at all. ';
  const hour = speech.repeat(474);
  for (const rules of SETS) {
    rules.words(speech);
    const before = process.cpuUsage();
    expect(rules.words(hour).length).toBeGreaterThan(7000);
    const { user } = process.cpuUsage(before);
    expect(user / 1e6).toBeLessThan(2);
  }
});
