import { digitWords, numberWords, ordinalWords } from './numberWords.ts';

/** A word in lower-case ASCII letters, with apostrophes inside. */
export interface SpokenWord {
  readonly value: string;
  /** True when it may be spelled out. */
  readonly initials?: boolean;
}

/** A part of a phrase between spaces. */
export interface PhraseToken {
  /** The part as it is written. */
  readonly text: string;
  readonly words: readonly SpokenWord[];
  /** The words as one dictionary word: "e-mail", "u.s.", "javascript". */
  readonly whole?: string;
}

/** The tokens of a phrase, or the reason why it cannot be said. */
export type ReadPhrase = { readonly tokens: readonly PhraseToken[] } | { readonly reason: string };

/** Limits of a phrase; those of a submission are tighter. */
const MAX_WORDS = 50;
const MAX_LETTERS = 50;

/** Letters that do not decompose into a plain letter and an accent. */
const FOLDED: Readonly<Record<string, string>> = {
  ß: 'ss',
  æ: 'ae',
  Æ: 'AE',
  œ: 'oe',
  Œ: 'OE',
  ø: 'o',
  Ø: 'O',
  ł: 'l',
  Ł: 'L',
  đ: 'd',
  Đ: 'D',
  ð: 'd',
  Ð: 'D',
  þ: 'th',
  Þ: 'TH',
  ı: 'i',
};
const SYMBOL_WORDS: Readonly<Record<string, string>> = { '&': 'and', '+': 'plus', '@': 'at', '%': 'percent' };
/** Marks that are not spoken. */
const SILENT = /^[-‐‑–—_/.,;:!?'"()[\]{}…·]$/;
/** Marks around a token that are not part of its writing. */
const AROUND = /^["“”„«»()[\]{}…,;:]+|["“”„«»()[\]{}…,;:]+[.!?]*$/g;
const RUNS = /\d{1,3}(?:,\d{3})+(?!\d)|\d+|[A-Za-z]+(?:'[A-Za-z]+)*|./gu;

/**
 * Returns the spoken words of a phrase: in lower case, without punctuation and accents, numbers and a few
 * signs in words.
 *
 * Conservative: text with several readings ("$5", "x^2") and letters of other alphabets are rejected.
 *
 * @example
 * readPhrase('C++ 17'); // tokens "C++" (c plus plus) and "17" (seventeen)
 */
export function readPhrase(phrase: string): ReadPhrase {
  const tokens: PhraseToken[] = [];
  const isShouted = /[A-Z]{6}/.test(phrase);
  for (const part of phrase.split(/\s+/)) {
    const text = part.replace(AROUND, '');
    const read = readToken(text, isShouted);
    if (typeof read === 'string') return { reason: read };
    if (read.words.length > 0) tokens.push({ text, ...read });
  }
  const words = tokens.flatMap(token => token.words);
  if (words.length === 0) return { reason: 'it has no words' };
  if (words.length > MAX_WORDS) return { reason: `it has more than ${MAX_WORDS} words` };
  if (words.some(({ value }) => value.length > MAX_LETTERS))
    return { reason: 'one of its words is too long' };
  if (words.some(isUnsayable))
    return { reason: 'one of its words has no vowel and is too long to spell out' };
  return { tokens };
}

/** Returns text without accents, with straight apostrophes. */
function foldAccents(text: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: what is ASCII has nothing to fold.
  if (/^[\x00-\x7f]*$/.test(text)) return text;
  return text
    .replace(/[‘’ʼ]/g, "'")
    .replace(/[™®©]/g, '')
    .replace(/[ßæÆœŒøØłŁđĐðÐþÞı]/g, letter => FOLDED[letter]!)
    .normalize('NFKD')
    .replace(/\p{M}/gu, '');
}

/** Returns the words of a token, or the reason why it has none. */
function readToken(text: string, isShouted: boolean): Omit<PhraseToken, 'text'> | string {
  const plain = foldAccents(text).replace(/^'+|['.!?]+$/g, '');
  if (/^[A-Za-z](\.[A-Za-z])+$/.test(plain)) {
    const letters = plain.toLowerCase().split('.');
    return { words: letters.map(value => ({ value })), whole: `${letters.join('.')}.` };
  }
  const runs = plain.match(RUNS) ?? [];
  const words: SpokenWord[] = [];
  for (const [index, run] of runs.entries()) {
    const found = readRun(run, runs[index - 1] ?? '', runs[index + 1] ?? '', isShouted);
    if (!found) return `'${run}' cannot be said in English`;
    words.push(...found);
  }
  const isOne = words.length > 1 && /^[A-Za-z]+([-'][A-Za-z]+)*$/.test(plain);
  return { words, ...(isOne && { whole: plain.toLowerCase() }) };
}

/** Returns the words of a run of one kind, given its neighbours; undefined when it cannot be said. */
function readRun(
  run: string,
  before: string,
  after: string,
  isShouted: boolean,
): readonly SpokenWord[] | undefined {
  if (/^[A-Za-z]/.test(run)) {
    return isOrdinalEnding(run, before) ? [] : letterWords(run, isShouted);
  }
  if (/^\d/.test(run)) return readNumber(run.replaceAll(',', ''), before, after).map(value => ({ value }));
  if (run === '.' && /^\w/.test(before) && /^\w/.test(after)) {
    return [{ value: /\d$/.test(before) && /^\d/.test(after) ? 'point' : 'dot' }];
  }
  if (run === '#' && /[A-Za-z]$/.test(before)) return [{ value: 'sharp' }];
  const word = SYMBOL_WORDS[run];
  if (word) return [{ value: word }];
  return SILENT.test(run) ? [] : undefined;
}

function readNumber(digits: string, before: string, after: string): readonly string[] {
  if (before === '.') return digitWords(digits);
  return isOrdinalEnding(after, digits) ? ordinalWords(digits) : numberWords(digits);
}

function isOrdinalEnding(letters: string, before: string): boolean {
  return /^(st|nd|rd|th)$/i.test(letters) && /^\d/.test(before);
}

/** Splits "PostgreSQL" into "postgre" and "sql". */
function letterWords(letters: string, isShouted: boolean): readonly SpokenWord[] {
  return letters.split(/(?<=[a-z])(?=[A-Z])/).map(part => {
    const value = part.toLowerCase();
    const isCapitals = !isShouted && /^[A-Z]{2,5}$/.test(part);
    const isSpelledOut = /^[^aeiouy']{2,6}$/.test(value);
    return { value, ...((isCapitals || isSpelledOut) && { initials: true }) };
  });
}

function isUnsayable({ value, initials }: SpokenWord): boolean {
  return !initials && value.length > 1 && !/[aeiouy]/.test(value);
}
