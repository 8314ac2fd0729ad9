import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { matchWords } from '../../../src/engines/alignment/matchWords.ts';
import type { Token } from '../../../src/engines/alignment/tokens.ts';

/** A token for each word; those of one word of the text are joined by a hyphen. */
function tokens(text: string): readonly Token[] {
  return text.split(' ').flatMap((written, word) =>
    written
      .split('-')
      .filter(Boolean)
      .map(value => ({ word, value, sound: [...value].join(' ') })),
  );
}

const match = (text: string, heard: string) => matchWords(tokens(text), tokens(heard));
/** The words that match, with what was heard for each. */
const matched = (text: string, heard: string) =>
  match(text, heard).map(
    ({ word, from, to }) => `${text.split(' ')[word]}=${heard.split(' ').slice(from, to).join(' ')}`,
  );

describe('words of a text match', () => {
  test('the same recognised words, despite others on either side', () => {
    expect(matched('had he married a woman', 'had he then married woman')).toEqual([
      'had=had',
      'he=he',
      'married=married',
      'woman=woman',
    ]);
  });

  test('similar words', () => {
    expect(matched('how much leasure had dashwud', 'how much leisure had dashwood')).toContain(
      'leasure=leisure',
    );
  });

  test('several tokens when they have several parts, all of them or none', () => {
    expect(matched('rather cold-hearted man', 'rather cold hearted man')).toContain(
      'cold-hearted=cold hearted',
    );
    expect(matched('rather cold-hearted man', 'rather cold man')).toEqual(['rather=rather', 'man=man']);
  });

  test('speech with more words before and after', () => {
    expect(matched('young man', 'he was not a bad young man at all')).toEqual(['young=young', 'man=man']);
  });

  test('the spoken copy in a text that repeats itself', () => {
    const copy = 'some words and here are some more words';
    const text = Array.from({ length: 100 }, () => copy).join(' ');
    expect(match(text, text).map(({ word, from }) => word - from)).toEqual(text.split(' ').map(() => 0));
  });

  test('speech in the middle of a long text', () => {
    const text = Array.from({ length: 5000 }, (_, index) => `w${index.toString(36)}`);
    const said = text.slice(3000, 3040).join(' ');
    expect(match(text.join(' '), said).map(({ word }) => word)).toEqual(
      Array.from({ length: 40 }, (_, index) => 3000 + index),
    );
  });

  test('frequent words alone are no match', () => {
    const text = 'call me ishmael some years ago to the sea i went and it was long';
    expect(matched(text, 'prudent women carry i and umbrellas gladly to picnics')).toEqual([]);
  });

  test('without speech or without text there is no match', () => {
    expect(match('young man', '')).toEqual([]);
    expect(matchWords([], tokens('young man'))).toEqual([]);
  });
});

test('matches are ascending in both sequences, whatever they are', () => {
  const some = fc.array(fc.constantFrom('a', 'to', 'then', 'than', 'there', 'married', 'woman'), {
    maxLength: 60,
  });
  fc.assert(
    fc.property(some, some, (text, heard) => {
      const matches = match(text.join(' '), heard.join(' '));
      for (const [index, { word, from, to }] of matches.entries()) {
        expect(to).toBe(from + 1);
        expect(word).toBeGreaterThan(matches[index - 1]?.word ?? -1);
        expect(from).toBeGreaterThan(matches[index - 1]?.from ?? -1);
      }
    }),
  );
});

test('a text as long as a book that repeats one word is matched quickly', {
  timeout: 20_000,
}, () => {
  const words = Array.from({ length: 20_000 }, () => 'testing').join(' ');
  expect(match(words, words.slice(0, 80_000)).length).toBeGreaterThan(5000);
});
