import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { alignWords } from '../../../src/captions/words/alignWords.ts';

const wordOf = (text: string) => ({ text, key: text });
const words = (text: string) => text.split(' ').filter(Boolean).map(wordOf);

const align = (shown: string, heard: string, mayEndEarly = false, pending = '') => {
  const options = { mayEndEarly, pending: words(pending) };
  const { pairs, heardWords } = alignWords(words(shown), words(heard), options);
  const show = pairs.map(pair => `${pair.shown?.text ?? '-'}:${pair.heard?.text ?? '-'}`);
  const rest = words(heard).slice(heardWords);
  return { pairs: show.join(' '), rest: rest.map(({ text }) => text).join(' ') };
};

describe('alignWords', () => {
  it.each([
    ['a b', 'a b c d', 'a:a b:b', 'c d'],
    ['a b', 'a x c', 'a:a b:x', 'c'],
    ['a b c', 'a c d', 'a:a b:- c:c', 'd'],
    ['a c', 'a b c d', 'a:a -:b c:c', 'd'],
    ['a b', '', 'a:- b:-', ''],
    ['', 'a b', '', 'a b'],
    ['a b c', 'a', 'a:a b:- c:-', ''],
  ])('finds %s in %s', (shown, heard, pairs, rest) => {
    expect(align(shown, heard)).toEqual({ pairs, rest });
  });

  it.each([
    ['a b c d', 'a', 'a:a b:- c:- d:-', ''],
    ['a b c d', 'x b', 'a:x b:b c:- d:-', ''],
    ['a b c', 'x c d', 'a:- b:x c:c', 'd'],
  ])('finds %s in %s, which may end early', (shown, heard, pairs, rest) => {
    expect(align(shown, heard, true)).toEqual({ pairs, rest });
  });

  it('finds where what is shown ends by the words that were heard after it', () => {
    const [shown, heard] = ['wreck a nice beach', 'recognise speech and then'];
    expect(align(shown, heard, true).rest).toBe('');
    expect(align(shown, heard, true, 'and').rest).toBe('and then');
    expect(align(shown, heard, false, 'and').rest).toBe('and then');
  });

  it('names every shown word once and heard words in order', () => {
    const lists = fc.array(fc.constantFrom('a', 'b', 'c').map(wordOf), { maxLength: 8 });
    fc.assert(
      fc.property(lists, lists, lists, fc.boolean(), (shown, pending, heard, mayEndEarly) => {
        const { pairs, heardWords } = alignWords(shown, heard, { pending, mayEndEarly });
        expect(pairs.flatMap(pair => pair.shown ?? [])).toEqual(shown);
        expect(pairs.flatMap(pair => pair.heard ?? [])).toEqual(heard.slice(0, heardWords));
      }),
    );
  });
});
