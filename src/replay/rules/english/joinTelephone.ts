import { type EnglishWord, inPlaceOfAll } from './englishWord.ts';
import { digitOf, REPEATS, type SaidDigits } from './readDigits.ts';

/** Places where groups of digits begin, by the number of digits: 555 1234, 555 123 4567, 1 555 123 4567. */
const PLACES: Readonly<Record<number, readonly number[]>> = { 7: [0, 3], 10: [0, 3, 6], 11: [0, 1, 4, 7] };
/** Numbers with points between their groups, which are no decimals. */
const POINTED = /^(?:1\.)?\d{3}\.\d{3}\.\d{4}$/;

/** An area code in brackets, which is no note. */
const AREA_CODE = /\((\d{3,5})\)(?=[ -]?\d{3,4}[ .-]?\d{3,4})/g;

/** Removes the brackets around area codes. Places stay the same. */
export function openAreaCodes(text: string): string {
  return text.replace(AREA_CODE, ' $1 ');
}

interface Piece extends SaidDigits {
  /** True for several digits that stand together, which must be a group. */
  readonly isGroup: boolean;
}

/**
 * Joins telephone numbers of 7, 10 or 11 digits: "(555) 123-4567", "555 123 4567" and "five double five one two three four
 * five six seven" are 5551234567. Said digits may begin and end with "oh"; area codes may be "eight hundred". Numbers of 11
 * digits begin with 1, or with 0 as in the United Kingdom, where groups have any length from 3.
 */
export function joinTelephone(words: readonly EnglishWord[]): readonly EnglishWord[] {
  // An amount is no group.
  const said = words.map(({ word, unit }) => (unit === undefined ? word : ''));
  const joined: EnglishWord[] = [];
  for (let at = 0; at < words.length; ) {
    let text = '';
    let end = at;
    const groups: [offset: number, length: number][] = [];
    for (let piece = pieceAt(said, at); piece; piece = pieceAt(said, end)) {
      if (piece.isGroup) groups.push([text.length, piece.text.length]);
      text += piece.text;
      end += piece.count;
    }
    const part = words.slice(at, Math.max(end, at + 1));
    // "Three hundred four five six seven" are numbers: only area codes are hundreds.
    const isCount = text.length === 7 && part.some(({ word }) => word === 'hundred');
    if (isTelephone(text, groups) && !isCount) joined.push(inPlaceOfAll(text, part));
    else for (const word of part) joined.push(word);
    at += part.length;
  }
  return joined;
}

/** Returns whether digits are a telephone number. @param groups offset and length of each */
function isTelephone(
  digits: string,
  groups: readonly (readonly [offset: number, length: number])[],
): boolean {
  const places = PLACES[digits.length];
  if (!places || (digits.length === 11 && !/^[01]/.test(digits))) return false;
  if (digits.length === 11 && digits.startsWith('0')) return groups.every(([, length]) => length >= 3);
  const ends = [...places.slice(1), digits.length];
  return groups.every(([offset, length]) => ends[places.indexOf(offset)] === offset + length);
}

function pieceAt(words: readonly string[], at: number): Piece | undefined {
  const [word = '', next] = [words[at], words[at + 1]];
  if (/^\d+$/.test(word)) return { text: word, count: 1, isGroup: word.length > 1 };
  if (POINTED.test(word)) return { text: word.replaceAll('.', ''), count: 1, isGroup: false };
  const repeats = REPEATS[word];
  const digit = digitOf(repeats === undefined ? word : next);
  if (digit === undefined) return undefined;
  if (repeats !== undefined) return { text: digit.repeat(repeats), count: 2, isGroup: false };
  return next === 'hundred' && digit !== '0'
    ? { text: `${digit}00`, count: 2, isGroup: true }
    : { text: digit, count: 1, isGroup: false };
}
