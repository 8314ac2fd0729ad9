import { blankBrackets } from './blankBrackets.ts';
import type { RuledWord, RuleSet } from './ruleSet.ts';

/**
 * Returns Unicode rules for any language: compatibility forms (NFKC) and cases (full case folding) are unified;
 * invisible characters, punctuation and symbols around words, and notes in brackets are removed; `%` is a word.
 * Combining marks stay, because they are parts of the letters in many scripts.
 *
 * Words are those of `Intl.Segmenter` in the language, such as `1.000,50`, `aujourd'hui` and `foo_bar`, with one form
 * of the apostrophe; they are cut until each is a word by itself. For scripts without spaces between words (Chinese,
 * Japanese, Thai …) they depend on the dictionaries of ICU: a report names its version, and scores of two versions may
 * differ.
 *
 * @param locale BCP 47, such as `de` or `zh-TW`. Default: no language
 * @example
 * unicodeRules('de').words('Die STRASSE, die Straße!').map(({ word }) => word) // die strasse die strasse
 */
export function unicodeRules(locale = 'und'): RuleSet {
  const words = new Intl.Segmenter(locale, { granularity: 'word' });
  const letters = new Intl.Segmenter(locale, { granularity: 'grapheme' });
  return {
    name: locale === 'und' ? 'unicode-1' : `unicode-1:${locale}`,
    description:
      'Unicode: compatibility forms and cases folded, words by ICU, no marks and symbols around them.',
    words: text => {
      const cut = remembered(chunk => cutChunk(chunk, locale, { words, letters }));
      return Array.from(blankBrackets(text).matchAll(/\S+/gu)).flatMap(({ 0: chunk, index }) =>
        settled(chunk, cut).map(({ word, start, end }) => ({ word, start: index + start, end: index + end })),
      );
    },
  };
}

type Cut = (chunk: string) => readonly RuledWord[];

/** Caches the words of each chunk, because texts repeat their words and cutting is slow. */
function remembered(cut: Cut): Cut {
  const known = new Map<string, readonly RuledWord[]>();
  return chunk => {
    const words = known.get(chunk) ?? cut(chunk);
    known.set(chunk, words);
    return words;
  };
}

/** Cuts a chunk until nothing changes, because a dictionary may split a word that it found among others. */
function settled(chunk: string, cut: Cut): readonly RuledWord[] {
  return cut(chunk).flatMap(found =>
    found.word === chunk ? [found] : settled(found.word, cut).map(({ word }) => ({ ...found, word })),
  );
}

type Segmenters = Readonly<Record<'words' | 'letters', Intl.Segmenter>>;

/** Returns the folded words of a text without white space; places are those of whole letters. */
function cutChunk(chunk: string, locale: string, { words, letters }: Segmenters): readonly RuledWord[] {
  if (/^[a-z]+$/.test(chunk)) return [{ word: chunk, start: 0, end: chunk.length }];
  const { text, starts, ends } = foldLetters(chunk, locale, letters);
  const found: RuledWord[] = [];
  for (const { segment, index } of words.segment(text)) {
    const [word, before] = withinMarks(segment);
    if (word === '') continue;
    const start = index + before;
    found.push({ word, start: starts[start]!, end: ends[start + word.length - 1]! });
  }
  return found;
}

/** Removes the marks at the ends of a word and returns the length of those before it; empty when nothing is a word. */
function withinMarks(segment: string): readonly [word: string, before: number] {
  if (!/[\p{L}\p{N}%]/u.test(segment)) return ['', 0];
  const before = segment.search(/[\p{L}\p{N}\p{M}%]/u);
  let end = segment.length;
  while (/[^%\P{P}]/u.test(segment[end - 1]!)) end--;
  return [segment.slice(before, end), before];
}

/** Folds a text and returns, for each code unit of the result, the start and end of its letter in the chunk. */
function foldLetters(chunk: string, locale: string, letters: Intl.Segmenter) {
  const starts: number[] = [];
  const ends: number[] = [];
  let text = '';
  for (const { segment, index } of letters.segment(chunk)) {
    const folded = foldLetter(segment, locale);
    for (let unit = 0; unit < folded.length; unit++) {
      starts.push(index);
      ends.push(index + segment.length);
    }
    text += folded;
  }
  return { text, starts, ends };
}

/**
 * Applies NFKC_Casefold of Unicode, with one form of the marks that may stand in words, and spaces for invisible
 * characters.
 */
function foldLetter(letter: string, locale: string): string {
  return foldCase(letter.normalize('NFKC'), locale)
    .replace(/[\p{DI}\p{Me}]+/gu, '')
    .normalize('NFKC')
    .replace(/[\u2018\u2019\u02BC\u05F3]/gu, "'")
    .replace(/\u05F4/gu, '"')
    .replace(/\u2044/gu, '/')
    .replace(/[\p{C}\p{Z}]/gu, ' ');
}

/**
 * Languages in which I and i are different letters: https://www.unicode.org/Public/UCD/latest/ucd/CaseFolding.txt,
 * status T.
 */
const DOTTED = /^(?:tr|az)(?:-|$)/i;

/**
 * Applies full case folding of Unicode: "Straße" and "STRASSE" are equal, and final sigma is sigma.
 *
 * @param locale BCP 47; Turkish and Azerbaijani keep dotless i distinct
 */
export function foldCase(text: string, locale: string): string {
  if (DOTTED.test(locale)) return fold(text.replaceAll('I', '\u0131').replaceAll('\u0130', 'i'));
  return fold(text);
}

/**
 * Folds by way of upper case, which also finds letters that fold to several; dotless i has a capital, but folds to
 * itself.
 */
function fold(text: string): string {
  return text
    .split('\u0131')
    .map(part => part.toLowerCase().toUpperCase().toLowerCase())
    .join('\u0131')
    .replaceAll('\u03C2', '\u03C3');
}
