import type { EnglishWord } from './englishWord.ts';
import { isNumberWord, isNumeral } from './numberWords.ts';
import wordLists from './wordLists.json' with { type: 'json' };
import { CURRENCY_OF } from './writeMoney.ts';

/** Letters of words: digits of other scripts are among them. */
const LETTER = String.raw`[[\p{L}\p{N}]--[0-9]]`;
const APART = String.raw`(?<![\p{L}\p{N}])`;
const MONEY = '[$£€¥₹¢]';
/** A minus and a point belong to a number only where nothing precedes them. */
const NUMBER = String.raw`(?<minus>${APART}-)?(?<money>${MONEY})?(?<number>(?:${APART}\.)?\d+(?:[.,:]\d+)*)(?:'?(?<suffix>s|st|nd|rd|th)(?!${LETTER}|\d))?`;
/** Letters that each have a point, such as `u.s.` and `e.g.`, are one word. */
const INITIALS = String.raw`(?<initials>(?<!${LETTER})\p{L}(?:\.\p{L})+(?!${LETTER}))`;
const WORD = `(?<word>'?${LETTER}+(?:'${LETTER}+)*)`;
const PIECE = new RegExp(`${NUMBER}|${INITIALS}|${WORD}|(?<sign>[%&]|${MONEY})`, 'gv');

/** Words that begin with an apostrophe; before any other word it is a quotation mark. */
const SHORTENED: ReadonlySet<string> = new Set(["'em", "'cause", "'til", "'bout", "'tis", "'twas"]);
const SIGNS: Readonly<Record<string, string>> = { '%': 'percent', '&': 'and' };

/**
 * Splits a text into folded words; each has the place of the chunk between white space, without the marks at its ends.
 * Signs become the words that are said for them; other punctuation separates words or is removed.
 */
export function cutWords(text: string): readonly EnglishWord[] {
  const words: EnglishWord[] = [];
  /** A sign that stands alone, before the number that it may belong to. */
  let sign: { readonly unit: string; readonly start: number } | undefined;
  for (const { 0: chunk, index } of text.matchAll(/\S+/gu)) {
    const { start, end } = withinMarks(chunk, index);
    const folded = foldEnglish(chunk);
    const unit = folded.length === 1 ? CURRENCY_OF[folded] : undefined;
    if (unit !== undefined && isAmount(words.at(-1))) words.push({ word: unit, start, end });
    else if (unit !== undefined) {
      sign = { unit, start };
      continue;
    } else if (/^[a-z]+$/.test(folded)) words.push({ word: folded, start, end });
    else {
      const [first, ...more] = [...folded.matchAll(PIECE)].flatMap(wordsOfMatch);
      const isSigned = sign !== undefined && first !== undefined && isNumeral(first.word) && !first.unit;
      if (first) words.push({ ...first, start, end, ...(isSigned && sign) });
      for (const piece of more) words.push({ ...piece, start, end });
    }
    sign = undefined;
  }
  return words;
}

/** Returns whether a word is a number without a currency. */
const isAmount = (word: EnglishWord | undefined) =>
  word !== undefined && word.unit === undefined && (isNumeral(word.word) || isNumberWord(word.word));

const FIRST = /[\p{L}\p{N}\p{Sc}]|[-\u2212.](?=[\p{N}\p{Sc}])/u;
const LAST = /[\p{L}\p{N}\p{M}\p{S}%]/u;

/** Returns the place of the words in a chunk; all of it when it has marks only. */
function withinMarks(chunk: string, index: number) {
  const first = chunk.search(FIRST);
  if (first < 0) return { start: index, end: index + chunk.length };
  let last = chunk.length;
  while (
    last > first + 1 &&
    !/[\uDC00-\uDFFF]/.test(chunk.charAt(last - 1)) &&
    !LAST.test(chunk.charAt(last - 1))
  )
    last--;
  return { start: index + first, end: index + last };
}

type Piece = Pick<EnglishWord, 'word' | 'unit'>;

function wordsOfMatch({ groups, input, index }: RegExpExecArray): readonly Piece[] {
  const { minus, money, number, suffix = '', initials, word, sign = '' } = groups ?? {};
  if (number !== undefined) {
    const said = readNumerals(number, suffix);
    const unitAt = (index: number) => (money && index === said.length - 1 ? CURRENCY_OF[money] : undefined);
    const pieces = said.map((word, index): Piece => ({ word, unit: unitAt(index) }));
    return minus ? [{ word: 'minus' }, ...pieces] : pieces;
  }
  if (initials !== undefined) return [{ word: initials.replaceAll('.', '') }];
  if (word !== undefined) return [{ word: SHORTENED.has(word) ? word : word.replace(/^'/, '') }];
  // A sign is spoken next to a number only, as in "20€".
  const currency = CURRENCY_OF[sign];
  if (currency !== undefined) return /\d/.test(input[index - 1] ?? '') ? [{ word: currency }] : [];
  return [{ word: SIGNS[sign] ?? sign }];
}

/** Letters and marks that Unicode does not decompose. */
const LETTERS: Readonly<Record<string, string>> = wordLists.letters;
const SPECIAL = new RegExp(`[${Object.keys(LETTERS).join('')}]`, 'gu');
/** Texts of a fraction after a digit, and alone. */
const FRACTIONS: Readonly<Record<string, readonly string[]>> = wordLists.fractions;

/**
 * Folds a text to lower case without diacritics, in the plainest letters: `Café` and `ｃａｆｅ` are `cafe`; `2½` is `2.5`.
 */
function foldEnglish(text: string): string {
  if (/^[!-_a-~]*$/.test(text)) return text.toLowerCase();
  return text
    .replace(/(\d?)([\u00BC-\u00BE])/g, (_, digit: string, fraction: string) => {
      const [behindDigit = '', alone = ''] = FRACTIONS[fraction] ?? [];
      return digit ? digit + behindDigit : alone;
    })
    .toLowerCase()
    .replace(/\u00B4/g, "'")
    .normalize('NFKD')
    .replace(/[\p{M}\p{DI}]+/gu, '')
    .toLowerCase()
    .replace(SPECIAL, letter => LETTERS[letter] ?? letter)
    .normalize('NFC');
}

/**
 * Returns the numbers that are said for digits with marks between them: `1,000` is 1000, `3.14` stays, `10:30` is 1030
 * (ten thirty), `7:00` is 7; any other mark separates numbers.
 *
 * @param suffix of an ordinal or a plural: `th`, `s`
 */
function readNumerals(written: string, suffix: string): readonly string[] {
  const whole = /^\d{1,3}(?:,\d{3})+(?:\.\d+)?$/.test(written) ? written.replaceAll(',', '') : written;
  const numerals = /^\.?\d+(?:\.\d+)*$/.test(whole) ? [whole.replace(/^\./, '0.')] : timeOf(whole);
  return numerals.map((numeral, index) => (index === numerals.length - 1 ? numeral + suffix : numeral));
}

function timeOf(written: string): readonly string[] {
  const [, hour, minute] = /^(\d{1,2}):(\d{2})$/.exec(written) ?? [];
  if (hour === undefined) return written.split(/[.,:]/).filter(part => part !== '');
  return [minute === '00' ? hour : hour + minute];
}
