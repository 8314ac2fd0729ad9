import { blankBrackets } from '../blankBrackets.ts';
import type { RuleSet } from '../ruleSet.ts';
import { cutWords } from './cutWords.ts';
import type { EnglishWord } from './englishWord.ts';
import { joinTelephone, openAreaCodes } from './joinTelephone.ts';
import { isNumberWord, isNumeral } from './numberWords.ts';
import { spellAlike } from './spellAlike.ts';
import { writeMoney } from './writeMoney.ts';
import { writeNumerals } from './writeNumerals.ts';
import { writeOut } from './writeOut.ts';

type Rule = (words: readonly EnglishWord[]) => readonly EnglishWord[];

const RULES: readonly Rule[] = [
  withoutFillers,
  writeOut,
  spellAlike,
  joinTelephone,
  writeNumerals,
  writeMoney,
];

/**
 * English by the conventions of the field: differences of writing do not count. Case, punctuation, diacritics, notes in
 * brackets and hesitations are removed; short forms are written out; spelling is American; numbers are in digits.
 *
 * The rules follow the English normalizer of Whisper (https://github.com/openai/whisper,
 * whisper/normalizers/english.py), on which most published word error rates of English are based. They differ where
 * that normalizer makes errors of correct words, so the figures of both are close, but not equal:
 * - Money, percent and minus are words as they are said, "20 dollars" and "5 percent", not signs at a number: a word
 * that was recognized wrongly is one error, and `$2.70` is "two dollars and seventy cents".
 * - 's is "is" only after pronouns and similar words: "John's" stays one word.
 * - Points within initials do not separate them (`a.m.` is `am`); `10:30` is "ten thirty", `7:00` "seven".
 * - "A hundred" is 100; "oh" is zero only between digits; "one third" is "1 3rd", not "13rd"; 1 is never "one".
 * - Spellings follow rules with tables, not a list of words, and cover more; hesitations include `uhm`, `erm`, `hm` and
 * longer ones; "cannot", "alright", "ok", "kinda" and similar words have their other forms.
 * - The rules are applied until nothing changes, so that applying them again changes nothing.
 *
 * As there, numbers below a hundred that are said in a row are one: "nine one one" is 911, but `9 1 1` stays. Telephone
 * numbers are one word however they are grouped (see `joinTelephone`).
 *
 * @example
 * englishRules.words("I can't, um, pay $20!").map(({ word }) => word) // i can not pay 20 dollars
 */
export const englishRules: RuleSet = {
  name: 'english-1',
  description:
    'English: no case, punctuation, notes and hesitations; short forms written out; one spelling; numbers in digits.',
  words: text =>
    settled(cutWords(blankBrackets(openAreaCodes(text)))).map(({ word, start, end }) => ({
      word,
      start,
      end,
    })),
};

/**
 * Applies the rules until nothing changes. It ends because each round leaves fewer words, or words that no rule
 * changes.
 */
function settled(words: readonly EnglishWord[]): readonly EnglishWord[] {
  let now = words;
  for (;;) {
    const next = RULES.reduce((done, rule) => rule(done), now);
    if (next.length === now.length && next.every(({ word }, index) => word === now[index]?.word)) return next;
    now = next;
  }
}

/** uh, um, uhm, erm, hm, hmm, mm, mhm, however long. */
const FILLER = /^(?:u+h+|u+m+|u+h+m+|e+r+m+|h+m+|mm+|m+h+m+)$/;

/** Removes sounds of hesitation and listening; `mm` after a number means millimetres and stays. */
function withoutFillers(words: readonly EnglishWord[]): readonly EnglishWord[] {
  const kept: EnglishWord[] = [];
  for (const word of words) {
    const before = kept.at(-1)?.word ?? '';
    const isMeasure = word.word === 'mm' && (isNumeral(before) || isNumberWord(before));
    if (isMeasure || !FILLER.test(word.word)) kept.push(word);
  }
  return kept;
}
