import { describe, expect, test } from 'vitest';
import { numberForms } from '../../../src/engines/alignment/spokenForms.ts';
import { createWordSounds, sayableWords } from '../../../src/engines/alignment/wordSounds.ts';
import { parseDictionary } from '../../../src/engines/pronunciation/dictionary.ts';

describe('numbers are spoken', () => {
  test.for([
    ['7', 'seven'],
    ['2024', 'twenty twenty four'],
    ['2024', 'two thousand twenty four'],
    ['1,250', 'one thousand two hundred fifty'],
    ['1,250', 'one thousand two hundred and fifty'],
    ['3rd', 'third'],
    ['21st', 'twenty first'],
    ['$5', 'five dollars'],
    ['$1', 'one dollar'],
    ['$3.50', 'three dollars and fifty cents'],
    ['50%', 'fifty percent'],
    ['3.14', 'three point one four'],
    ['1990s', 'nineteen nineties'],
    ['10:30', 'ten thirty'],
    ['007', 'zero zero seven'],
    ['007', 'oh oh seven'],
  ] as const)('%s as "%s"', ([written, said]) => {
    expect(numberForms(written).map(words => words.join(' '))).toContain(said);
  });

  test.for(['seven', 'b2b', '', '$', '1,25,0'])('but not "%s"', written => {
    expect(numberForms(written)).toEqual([]);
  });
});

describe('a word sounds', () => {
  const soundsOf = createWordSounds(
    parseDictionary(
      'cold K OW L D\nhearted HH AA R T IH D\ntwo T UW\nit IH T\ni AY\nt T IY\nt. T IY\ni. AY\nand AE N D\n' +
        'percent P ER S EH N T\nc S IY\nplus P L AH S\n',
    ),
  );

  test.for([
    ['as the dictionary has it', 'cold', 'K OW L D'],
    ['without the marks around it', '“Cold,”', 'K OW L D'],
    ['as its parts', 'cold-hearted', 'K OW L D HH AA R T IH D'],
    ['as a number is said', '2', 'T UW'],
    ['as initials', 'IT', 'AY T IY'],
    ['as a word in capitals', 'IT', 'IH T'],
    ['as a sign alone', '&', 'AE N D'],
    ['as a sign alone', '%', 'P ER S EH N T'],
    ['with the signs behind it', '(C++).', 'S IY P L AH S P L AH S'],
  ] as const)('%s', ([, written, sounds]) => {
    expect(soundsOf(written)).toContain(sounds);
  });

  test('without pronunciations when there is nothing to say', () => {
    expect(soundsOf('—')).toEqual([]);
    expect(soundsOf('???')).toEqual([]);
  });

  test('with bounded numbers of pronunciations and phones', () => {
    expect(soundsOf('cold-'.repeat(15))).not.toEqual([]);
    expect(soundsOf('cold-'.repeat(30))).toEqual([]);
    expect(soundsOf('cold-it-'.repeat(9)).length).toBeLessThanOrEqual(10);
  });

  test('by guess in a bounded part of a text, and by the dictionary in all of it', () => {
    const nonsense = Array.from({ length: 3000 }, (_, index) => {
      const digits = index.toString(2).padStart(12, '0');
      return [...digits].map(digit => (digit === '0' ? 'col' : 'dit')).join('');
    });
    const guessed = nonsense.map(word => soundsOf(word).length > 0);
    expect(guessed.slice(0, 2500)).not.toContain(false);
    expect(guessed.slice(2900)).not.toContain(true);
    expect(soundsOf(nonsense[0]!)).not.toEqual([]);
    expect(soundsOf('cold')).toEqual(['K OW L D']);
  });
});

const soundsOf = createWordSounds(parseDictionary('it IH T\ni AY\nt T IY\nt. T IY\ni. AY\none W AH N\n'));
const LONG = 1_000_000;

describe('a token as long as a book has no pronunciation', () => {
  test.for([
    ['capitals', `${'A'.repeat(LONG)}a`],
    ['marks', `a${'-'.repeat(LONG)}a`],
    ['digits', `${'1'.repeat(LONG)}x`],
    ['money', `$${'1'.repeat(LONG)}.50`],
  ] as const)('of %s', ([, token]) => {
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

test('capitals mark initials, but not in a text of capitals', () => {
  const spelled = 'AY T IY';
  expect(sayableWords(['it', 'IT', 'it'], soundsOf)[1]!.pronunciations).toContain(spelled);
  expect(sayableWords(['IT', 'IT!', 'it'], soundsOf)[0]!.pronunciations).not.toContain(spelled);
});
