import { describe, expect, test } from 'vitest';
import { englishRules } from '../../../../src/replay/rules/english/englishRules.ts';
import cases from './englishCases.json' with { type: 'json' };

const said = (text: string) =>
  englishRules
    .words(text)
    .map(({ word }) => word)
    .join(' ');

describe('English', () => {
  // Texts as they are written, by subject, with their words by the rules.
  describe.each(Object.entries(cases))('%s', (_, pairs) => {
    test.each(Object.entries(pairs))('"%s" is "%s"', (text, words) => {
      expect(said(text)).toBe(words);
      expect(said(words)).toBe(words);
    });
  });

  test('has the place of a whole telephone number', () => {
    const text = 'Call +1 (800) 555-1234 now.';
    const places = englishRules.words(text).map(({ word, start, end }) => [word, text.slice(start, end)]);
    expect(places).toEqual([
      ['call', 'Call'],
      ['18005551234', '1 (800) 555-1234'],
      ['now', 'now'],
    ]);
  });

  test('has the places of the written words', () => {
    const text = `  "Twenty one" don't; ($2.70\n[x] well-known… -5% &`;
    const places = englishRules.words(text).map(({ word, start, end }) => [word, text.slice(start, end)]);
    expect(places).toEqual([
      ['21', 'Twenty one'],
      ['do', "don't"],
      ['not', "don't"],
      ['2', '$2.70'],
      ['dollars', '$2.70'],
      ['70', '$2.70'],
      ['cents', '$2.70'],
      ['well', 'well-known'],
      ['known', 'well-known'],
      ['minus', '-5%'],
      ['5', '-5%'],
      ['percent', '-5%'],
      ['and', '&'],
    ]);
  });
});
