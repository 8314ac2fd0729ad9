/** Unusual words and names of a document, as phrases for a recogniser. */
import { VOCABULARY_LIMITS } from '../../protocol/limits.ts';
import { unescapeVtt } from '../../transcript/formats/vtt.ts';
import { readPhrase } from './readPhrase.ts';

/** Most phrases of a document. */
export const MAX_CONTEXT_PHRASES = 200;
const MIN_LETTERS = 3;

/** A word of a document. */
interface ContextWord {
  /** The word as written. */
  readonly form: string;
  /** The word in lower case. */
  readonly key: string;
  /** True after a word of the same sentence, where a capital marks a name. */
  readonly isInside: boolean;
}

/**
 * Returns the words of a document (text, Markdown or HTML) that a recogniser may not know, most frequent first: words
 * outside the dictionary, names of several tokens, and names of several words that occur more than once.
 *
 * @param dictionary words in lower case
 * @param isToken returns whether the recogniser writes a word at once, not piece by piece
 */
export function contextPhrases(
  document: string,
  dictionary: { has(word: string): boolean },
  isToken: (word: string) => boolean,
): readonly string[] {
  const text = plainText(document);
  const byKey = [...Map.groupBy(wordsOf(text), ({ key }) => key)];
  const names = new Set(byKey.filter(([, same]) => isName(same)).map(([key]) => key));
  const unusual = new Map(
    byKey
      .filter(([key]) => key.length >= MIN_LETTERS && key.length <= VOCABULARY_LIMITS.lettersInWord)
      .filter(([key, same]) => !dictionary.has(key) || (names.has(key) && !isToken(spelling(same)))),
  );
  const namesIn = (run: string) => run.split(/\s/).filter(word => names.has(word.toLowerCase()));
  const runs = Map.groupBy(text.match(CAPITALIZED) ?? [], run => namesIn(run).join(' '));
  const fullNames = [...runs].filter(([name, same]) => {
    const words = name.toLowerCase().split(' ');
    return same.length > 1 && words.length > 1 && words.some(word => unusual.has(word));
  });
  return [...[...unusual.values()].map(same => [spelling(same), same] as const), ...fullNames]
    .filter(([phrase]) => !ROMAN.test(phrase) && 'tokens' in readPhrase(phrase))
    .toSorted(([, a], [, b]) => b.length - a.length)
    .slice(0, MAX_CONTEXT_PHRASES)
    .map(([phrase]) => phrase);
}

/** Returns whether a word has a capital within a sentence, and is never in lower case. */
function isName(same: readonly ContextWord[]): boolean {
  const hasCapital = same.some(({ form, isInside }) => isInside && /^\p{Lu}/u.test(form));
  return hasCapital && same.every(({ form, key }) => form !== key);
}

/** Returns the form of a word with the fewest capitals: names can also be in a heading. */
function spelling(same: readonly ContextWord[]): string {
  const capitals = ({ form }: ContextWord) => form.replace(/\P{Lu}/gu, '').length;
  return same.reduce((best, word) => (capitals(word) < capitals(best) ? word : best)).form;
}

const WORDS = /\p{L}[\p{L}\p{M}]*(?:'\p{L}+)*/gu;
/** Two to four words with capitals, without marks between them. */
const CAPITALIZED = /(?<!\p{L})\p{Lu}[\p{L}\p{M}]*(?:\s\p{Lu}[\p{L}\p{M}]*){1,3}/gu;
const ROMAN = /^[IVXLC]+$/;

function wordsOf(text: string): readonly ContextWord[] {
  const words: ContextWord[] = [];
  let end = 0;
  for (const { 0: form, index } of text.matchAll(WORDS)) {
    const isInside = /^(?: ?,)?[ \n]$/.test(text.slice(end, index));
    words.push({ form, key: form.toLowerCase(), isInside });
    end = index + form.length;
  }
  return words;
}

/** Comments, scripts and styles, up to the end of a document that does not close them; then any other tag. */
const MARKUP = /<!--[\s\S]*?(?:-->|$)|<(script|style)\b[\s\S]*?(?:<\/\1\s*>|$)|<[/!?]?[a-z][^<>]*>/gi;
/** Tags within a sentence. */
const INLINE = /^<\/?(?:a|abbr|b|cite|em|i|mark|q|span|strong|su[bp]|u|wbr)\b/i;
/** Titles, whose point ends no sentence, and which are no part of a name. */
const TITLES = /\b(?:Mrs?|Ms|Dr|Prof|Rev|Capt|Col|Gen|Lt|St)\.?(?=\s\p{Lu})/gu;

/** Returns the text of a document without markup, code blocks, addresses, titles and possessive endings. */
function plainText(document: string): string {
  return unescapeVtt(document.replace(MARKUP, tag => (INLINE.test(tag) ? '' : '\n\n')))
    .replace(/[‘’]|&[lr]squo;/g, "'")
    .replace(/[\t\u00A0]|&(?:[mn]dash|hellip|[lr]dquo);/g, ' ')
    .replace(/^(```|~~~)[\s\S]*?(?:^\1|$(?![\s\S]))/gm, '')
    .replace(/\]\([^()\s]*\)|[*`\r\u00AD]|(?<![\p{L}\d])_+|_+(?![\p{L}\d])|'s\b/gu, '')
    .replace(/\S+/g, part => (/:\/\/|@|^www\.|&\w+;/.test(part) ? '' : part))
    .replace(/ +/g, ' ')
    .replace(/ ?\n ?/g, '\n')
    .replace(TITLES, ',');
}
