import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { withoutDisfluencies } from '../../../src/engines/text/disfluencies.ts';
import { isHesitation } from '../../../src/transcript/text/words.ts';

const wordsOf = (text: string) =>
  text.split(' ').map((value, index) => ({ value, startFrame: index, endFrame: index + 1 }));
const fluent = (text: string) =>
  withoutDisfluencies(wordsOf(text))
    .map(({ value }) => value)
    .join(' ');

describe('speech without disfluencies', () => {
  it.each([
    ['um i uh think er so hmm', 'i think so'],
    ['the the the cat', 'the cat'],
    ['i um i know', 'i know'],
    ["it's it's and and we're we're late", "it's and we're late"],
    ['uh', ''],
    ['ummm uhhhh uhmm erm we hmmm mmm said', 'we said'],
  ])('is of "%s" "%s"', (said, left) => {
    expect(fluent(said)).toBe(left);
  });

  it.each([
    ...['i think that that is so', 'he had had it', 'it was very very good', 'no no no', 'yes yes', 'my my'],
    ...['bye bye', 'two two', 'a a batteries', 'what it is is this', 'mhm', 'uh-huh', 'huh', 'oh well', 'ah'],
    ...[
      'the other the other day',
      'knock knock',
      'the end',
      'umbrella',
      'her',
      'to err',
      'mum',
      'h',
      'm',
      'u',
    ],
  ])('keeps "%s"', said => {
    expect(fluent(said)).toBe(said);
  });

  it('keeps the last repetition of a word, with its own time', () => {
    expect(withoutDisfluencies(wordsOf('the the cat'))).toEqual(wordsOf('the the cat').slice(1));
  });

  it('has all other words in order, and does not change when cleaned again', () => {
    const word = fc.constantFrom('um', 'er', 'the', 'i', 'and', 'that', 'no', 'cat', 'a');
    fc.assert(
      fc.property(fc.array(word, { minLength: 1 }), words => {
        const left = withoutDisfluencies(wordsOf(words.join(' ')));
        expect(withoutDisfluencies(left)).toEqual(left);
        const distinct = (values: readonly string[]) =>
          values.filter((value, index) => !isHesitation(value) && value !== values[index - 1]);
        const spoken = words.filter(value => !isHesitation(value));
        expect(distinct(left.map(({ value }) => value))).toEqual(distinct(spoken));
      }),
    );
  });
});
