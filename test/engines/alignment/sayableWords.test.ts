import { describe, expect, test } from 'vitest';
import { sayableWords } from '../../../src/engines/alignment/sayableWords.ts';
import { createWordSounds } from '../../../src/engines/alignment/wordSounds.ts';
import { parseDictionary } from '../../../src/engines/pronunciation/dictionary.ts';

const soundsOf = createWordSounds(parseDictionary('it IH T\ni AY\nt T IY\nt. T IY\ni. AY\none W AH N\n'));
const LONG = 1_000_000;

describe('nothing is made of a token as long as a book', () => {
  test.for([
    ['capitals', `${'A'.repeat(LONG)}a`],
    ['marks', `a${'-'.repeat(LONG)}a`],
    ['digits', `${'1'.repeat(LONG)}x`],
    ['money', `$${'1'.repeat(LONG)}.50`],
  ] as const)('of %s', { timeout: 10_000 }, ([, token]) => {
    const looked: string[] = [];
    const watched = (written: string) => {
      looked.push(written);
      return written.length > 1000 ? [] : soundsOf(written);
    };
    expect(sayableWords([token, 'it'], watched)).toEqual([
      { number: 1, pronunciations: ['IH T'], phones: 2 },
    ]);
    expect(looked).toEqual(['it']);
  });
});

test('capitals tell initials, but not where all is in capitals', () => {
  const spelled = 'AY T IY';
  expect(sayableWords(['it', 'IT', 'it'], soundsOf)[1]!.pronunciations).toContain(spelled);
  expect(sayableWords(['IT', 'IT!', 'it'], soundsOf)[0]!.pronunciations).not.toContain(spelled);
});
