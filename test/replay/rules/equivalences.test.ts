import { describe, expect, test } from 'vitest';
import { parseEquivalences, withEquivalences } from '../../../src/replay/rules/equivalences.ts';
import { ruleSetNamed } from '../../../src/replay/rules/ruleSets.ts';

const FILE = `# of our own
icecream = ice cream
e-mail = email

one half = half
half = 50 percent
`;

const wordsBy = (text: string, rules = 'english-1') =>
  withEquivalences(ruleSetNamed(rules), parseEquivalences(FILE, 'own.txt'))
    .words(text)
    .map(({ word }) => word)
    .join(' ');

describe('equivalences', () => {
  test.each([
    ['I like icecream.', 'i like ice cream'],
    ['An E-Mail, please!', 'an email please'],
    ['Half of it', '50 percent of it'],
    ['nothing else', 'nothing else'],
    ['', ''],
  ])('of %j are %j', (text, words) => {
    expect(wordsBy(text)).toBe(words);
  });

  test('prefer the longest match', () => {
    expect(wordsBy('one half', 'unicode-1')).toBe('half');
  });

  test('have the places of what they replace', () => {
    const rules = withEquivalences(ruleSetNamed('plain-1'), [['b c', 'x y z']]);
    expect(rules.words('a b c d').map(({ word, start, end }) => [word, start, end])).toEqual([
      ['a', 0, 1],
      ['x', 2, 5],
      ['y', 2, 5],
      ['z', 2, 5],
      ['d', 6, 7],
    ]);
  });

  test('give the rules another name for each content, so that scores are not compared', () => {
    const named = (text: string) =>
      withEquivalences(ruleSetNamed('plain-1'), parseEquivalences(text, 'f')).name;
    expect(named('a = b')).toMatch(/^plain-1\+[0-9a-f]{8}$/);
    expect(named('a = b')).not.toBe(named('a = c'));
  });

  test.each(['a', 'a =', '= b', 'a = b = c'])('that are written as %j are refused with their line', line => {
    expect(() => parseEquivalences(`# first\n${line}`, 'own.txt')).toThrow(/^own\.txt:2 expected two texts/);
  });
});
