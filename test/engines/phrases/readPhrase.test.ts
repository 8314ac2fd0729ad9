import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readPhrase } from '../../../src/engines/phrases/readPhrase.ts';
import phrases from './phrases.json' with { type: 'json' };

/** The tokens of a phrase as `written=words said`; initials in capitals, what a dictionary may have in one after `|`. */
function read(phrase: string): string {
  const result = readPhrase(phrase);
  if ('reason' in result) return result.reason;
  return result.tokens
    .map(({ text, words, whole }) => {
      const said = words.map(({ value, initials }) => (initials ? value.toUpperCase() : value)).join(' ');
      return `${text}=${said}${whole ? `|${whole}` : ''}`;
    })
    .join('; ');
}

describe('a phrase that is read', () => {
  it.each(Object.entries(phrases))('says "%s" as "%s"', (phrase, said) => {
    expect(read(phrase)).toBe(said);
  });

  it.each([
    ['', 'it has no words'],
    [' - … ', 'it has no words'],
    ['$5 a day', "'$' cannot be said in English"],
    ['x^2', "'^' cannot be said in English"],
    ['★ Norland', "'★' cannot be said in English"],
    ['Москва', "'М' cannot be said in English"],
    ['日本', "'日' cannot be said in English"],
    ['zzzzzzzzz', 'one of its words has no vowel and is too long to spell out'],
    ['a'.repeat(51), 'one of its words is too long'],
    ['a '.repeat(51), 'it has more than 50 words'],
  ])('is rejected for "%s"', (phrase, reason) => {
    expect(read(phrase)).toBe(reason);
  });

  it('becomes words of plain letters or a reason, whatever it is', () => {
    const phrase = fc.oneof(fc.string({ unit: 'binary' }), fc.stringMatching(/^[A-Za-z0-9'.&+#/ -]{1,30}$/));
    fc.assert(
      fc.property(phrase, text => {
        const result = readPhrase(text);
        if ('reason' in result) {
          expect(result.reason).not.toBe('');
          return;
        }
        const words = result.tokens.flatMap(token => token.words);
        expect(words.length).toBeGreaterThan(0);
        for (const { value } of words) expect(value).toMatch(/^[a-z]+('[a-z]+)*$/);
        for (const { text: written } of result.tokens) expect(text).toContain(written);
      }),
    );
  });
});
