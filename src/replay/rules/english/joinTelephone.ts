import { type EnglishWord, joinRuns } from './englishWord.ts';
import { digitOf, REPEATS, type SaidDigits } from './readDigits.ts';

/** Returns the pattern of a group of digits, which stand together or were said one by one. */
const group = (digits: number) => String.raw`(?:\d{${digits}}|\d(?: \d){${digits - 1}})`;
/** Digits of a number in groups; `8H` is "eight hundred". */
const AMERICAN = String.raw`(?:(?:1 )?(?:${group(3)}|\dH) )?${group(3)} ${group(4)}`;
const BRITISH = String.raw`(?=(?:\d ?){11}$)0(?:(?: \d){10}|\d{2,4} (?:\d{3,4} )?\d{3,6})`;
const TELEPHONE = new RegExp(`^(?:${AMERICAN}|${BRITISH})$`);
/** A number with points between its groups, which is no decimal. */
const POINTED = /^(?:1\.)?\d{3}\.\d{3}\.\d{4}$/;
/** An area code in brackets, which is no note. */
const AREA_CODE = /\((\d{3,5})\)(?=[ -]?\d{3,4}[ .-]?\d{3,4})/g;

/** Removes the brackets around area codes. Places stay the same. */
export function openAreaCodes(text: string): string {
  return text.replace(AREA_CODE, ' $1 ');
}

/**
 * Joins telephone numbers of North America and the United Kingdom: "(555) 123-4567", "555 123 4567" and "five double five one
 * two three four five six seven" are 5551234567. Digits that are said may begin and end with "oh".
 */
export function joinTelephone(words: readonly EnglishWord[]): readonly EnglishWord[] {
  // An amount is no group.
  const said = words.map(({ word, unit }) => (unit === undefined ? word : ''));
  return joinRuns(words, at => {
    const pieces: string[] = [];
    let count = 0;
    for (let piece = pieceAt(said, at); piece; piece = pieceAt(said, at + count)) {
      pieces.push(piece.text);
      count += piece.count;
    }
    const run = pieces.join(' ');
    if (!TELEPHONE.test(run)) return { count: Math.max(count, 1) };
    return { text: run.replaceAll(' ', '').replace('H', '00'), count };
  });
}

function pieceAt(words: readonly string[], at: number): SaidDigits | undefined {
  const [word = '', next] = [words[at], words[at + 1]];
  if (/^\d+$/.test(word) || POINTED.test(word)) return { text: word.replaceAll('.', ' '), count: 1 };
  const repeats = REPEATS[word];
  const digit = digitOf(repeats === undefined ? word : next);
  if (digit === undefined) return undefined;
  if (repeats !== undefined) return { text: Array(repeats).fill(digit).join(' '), count: 2 };
  return next === 'hundred' ? { text: `${digit}H`, count: 2 } : { text: digit, count: 1 };
}
