/** Unusual words and names of a document, as phrases for a recogniser. */
import { VOCABULARY_LIMITS } from '../../protocol/limits.ts';
import { unescapeVtt } from '../../transcript/formats/vtt.ts';
import { readPhrase } from './readPhrase.ts';

/** Knowledge of the words of a language. */
export interface KnownWords {
  /** Returns whether a word in lower case is in the dictionary. */
  inDictionary(word: string): boolean;
  /** Returns whether the recogniser writes a word at once, not piece by piece. */
  isToken(word: string): boolean;
}

/** Most phrases of a document. */
export const MAX_CONTEXT_PHRASES = 200;
/** Words in a name. */
const MAX_NAME_WORDS = 4;
const MIN_LETTERS = 3;

/** A word of a document. */
interface ContextWord {
  /** The word as written, without a possessive ending. */
  readonly form: string;
  /** The form in lower case. */
  readonly key: string;
  /** True after a word of the same sentence, where a capital marks a name. */
  readonly isInside: boolean;
  /** True when only spaces are between the word and one of the same sentence. */
  readonly follows: boolean;
}

const CAPITAL = /^\p{Lu}/u;

/**
 * Returns the words of a document (text, Markdown or HTML) that a recogniser may not know, most frequent first: words
 * outside the dictionary, names of several tokens, and names of several words that occur more than once.
 */
export function contextPhrases(document: string, known: KnownWords): readonly string[] {
  const words = wordsOf(plainText(document));
  const byKey = Map.groupBy(words, ({ key }) => key);
  const names = new Set([...byKey].filter(([, same]) => isName(same)).map(([key]) => key));
  const unusual = [...byKey].filter(
    ([key, same]) =>
      isWorthy(key) && (!known.inDictionary(key) || (names.has(key) && !known.isToken(spelling(same)))),
  );
  const unusualKeys = new Set(unusual.map(([key]) => key));
  const fullNames = Map.groupBy(runsOf(words, names), run => run.map(({ form }) => form).join(' '));
  const repeated = [...fullNames].filter(
    ([, runs]) => runs.length > 1 && runs[0]?.some(({ key }) => unusualKeys.has(key)),
  );
  return [
    ...unusual.map(([, same]) => ({ phrase: spelling(same), count: same.length })),
    ...repeated.map(([phrase, runs]) => ({ phrase, count: runs.length })),
  ]
    .filter(({ phrase }) => 'tokens' in readPhrase(phrase))
    .toSorted((a, b) => b.count - a.count)
    .slice(0, MAX_CONTEXT_PHRASES)
    .map(({ phrase }) => phrase);
}

function isName(same: readonly ContextWord[]): boolean {
  return (
    same.some(({ form, isInside }) => isInside && CAPITAL.test(form)) &&
    same.every(({ form, key }) => form !== key)
  );
}

/** Returns the form of a word to show: in lower case if it occurs so, else with one capital. */
function spelling(same: readonly ContextWord[]): string {
  const forms = same.map(({ form }) => form);
  const form =
    forms.find((each, index) => each === same[index]?.key) ?? forms.find(each => /^\p{Lu}\p{Ll}/u.test(each));
  return form ?? forms[0] ?? '';
}

/** Returns the sequences of names without marks between them. */
function runsOf(
  words: readonly ContextWord[],
  names: ReadonlySet<string>,
): readonly (readonly ContextWord[])[] {
  const runs: ContextWord[][] = [[]];
  for (const word of words) {
    if (!names.has(word.key)) runs.push([]);
    else if (word.follows) runs.at(-1)?.push(word);
    else runs.push([word]);
  }
  return runs.filter(({ length }) => length > 1 && length <= MAX_NAME_WORDS);
}

/** Titles, whose point ends no sentence, and which are no part of a name. */
const TITLES = /\b(?:Mrs?|Ms|Dr|Prof|Rev|Capt|Col|Gen|Lt|St)\.?(?=\s+\p{Lu})/gu;
const WORDS = /\p{L}[\p{L}\p{M}]*(?:'\p{L}+)*/gu;

function isWorthy(word: string): boolean {
  return (
    word.length >= MIN_LETTERS && word.length <= VOCABULARY_LIMITS.lettersInWord && !/^[ivxlc]+$/.test(word)
  );
}

function wordsOf(text: string): readonly ContextWord[] {
  const untitled = text.replace(TITLES, ',');
  const words: ContextWord[] = [];
  let end = 0;
  for (const { 0: written, index } of untitled.matchAll(WORDS)) {
    const gap = untitled.slice(end, index);
    end = index + written.length;
    const form = written.replace(/'s$/, '');
    const isInside = /^[ \t]*,?[ \t]*\r?\n?[ \t]*$/.test(gap);
    words.push({ form, key: form.toLowerCase(), isInside, follows: isInside && !gap.includes(',') });
  }
  return words;
}

const ACCENTS: Readonly<Record<string, string>> = {
  acute: '\u0301',
  cedil: '\u0327',
  circ: '\u0302',
  grave: '\u0300',
  ring: '\u030A',
  tilde: '\u0303',
  uml: '\u0308',
};
/** Comments, scripts and styles, up to the end of a document that does not close them; then any other tag. */
const MARKUP = /<!--[\s\S]*?(?:-->|$)|<(script|style)\b[\s\S]*?(?:<\/\1\s*>|$)|<[/!?]?[a-z][^<>]*>/gi;
/** Tags within a sentence. */
const INLINE = /^<\/?(?:a|abbr|b|cite|em|i|mark|q|span|strong|su[bp]|u|wbr)\b/i;

/** Returns the text of a document without HTML, code blocks, addresses, and marks of emphasis. */
function plainText(document: string): string {
  const text = document
    .replace(MARKUP, tag => (INLINE.test(tag) ? '' : '\n\n'))
    .replace(/&([a-z])(acute|cedil|circ|grave|ring|tilde|uml);/gi, (_, letter, accent) =>
      (letter + ACCENTS[accent]).normalize('NFC'),
    )
    .replace(/&[lr]squo;/g, "'");
  return unescapeVtt(text)
    .replace(/[‘’]/g, "'")
    .replace(/\u00A0|&[a-z]{2,8};/gi, ' ')
    .replace(/^(```|~~~)[\s\S]*?(?:^\1|$(?![\s\S]))/gm, '')
    .replace(/\]\([^()\s]*\)|[*`\u00AD]|(?<![\p{L}\d])_+|_+(?![\p{L}\d])/gu, '')
    .replace(/\S+/g, part => (/:\/\/|@|^www\./.test(part) ? '' : part));
}
