import { describe, expect, test } from 'vitest';
import { englishRules } from '../../../../src/replay/rules/english/englishRules.ts';
import { isNumberWord } from '../../../../src/replay/rules/english/numberWords.ts';
import { SPELLINGS } from '../../../../src/replay/rules/english/spellAlike.ts';
import { CURRENCY_WORDS } from '../../../../src/replay/rules/english/writeMoney.ts';
import { SHORT_FORMS } from '../../../../src/replay/rules/english/writeOut.ts';

const said = (text: string) => englishRules.words(text).map(({ word }) => word);

describe('the table of spellings', () => {
  test('has two single lower-case words per row', () => {
    expect(SPELLINGS.size).toBeGreaterThan(100);
    for (const pair of SPELLINGS) {
      expect(pair).toHaveLength(2);
      for (const word of pair) expect(word).toMatch(/^[a-z]+$/);
      expect(pair[0]).not.toBe(pair[1]);
    }
  });

  test('has no chains and no cycles', () => {
    expect([...SPELLINGS.values()].filter(word => SPELLINGS.has(word))).toEqual([]);
  });

  test('has results that no other rule changes', () => {
    for (const [british, american] of SPELLINGS) {
      expect(said(british)).toEqual([american]);
      expect(said(american)).toEqual([american]);
    }
  });
});

describe('the table of short forms', () => {
  test('has words in lower case', () => {
    expect(SHORT_FORMS.size).toBeGreaterThan(40);
    for (const [short, words] of SHORT_FORMS) {
      expect(short).toMatch(/^'?[a-z]+(?:'[a-z]+)*$/);
      for (const word of words) expect(word).toMatch(/^[a-z]+$/);
    }
  });

  test('has no chains, no cycles, and no row that an earlier rule handles', () => {
    for (const [short, words] of SHORT_FORMS) {
      expect(words.filter(word => SHORT_FORMS.has(word))).toEqual([]);
      expect(said(short)).toEqual(words);
      expect(said(words.join(' '))).toEqual(words);
    }
  });
});

test('tables have no word in common', () => {
  const words = [...SPELLINGS.keys(), ...SHORT_FORMS.keys(), ...CURRENCY_WORDS.keys()];
  expect(new Set(words).size).toBe(words.length);
  expect(words.filter(isNumberWord)).toEqual([]);
});
