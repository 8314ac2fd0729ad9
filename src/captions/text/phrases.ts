import { maskProfanity } from '../../transcript/text/profanity.ts';
import { capitalised, isCapitalised, opensSentence, withoutWords } from './withoutWords.ts';
import { keysOf, type ListedWord, type WordList, wordListOf } from './wordList.ts';

/** A phrase, and the words in its place; none where it is left out. */
interface Phrase {
  readonly keys: readonly string[];
  readonly by: readonly ListedWord[];
}

/** Phrases by their first word, the longest first. */
type PhraseTable = ReadonlyMap<string, readonly Phrase[]>;

/** Rules in the form in which they are applied. */
export interface Phrases {
  readonly all: PhraseTable;
  readonly banned: PhraseTable;
  readonly profanity: 'show' | 'mask' | 'drop';
}

interface PhraseLists {
  readonly ban: readonly string[];
  readonly replace: readonly { readonly text: string; readonly by: string }[];
  readonly profanity: Phrases['profanity'];
}

export function compilePhrases({ ban, replace, profanity }: PhraseLists): Phrases {
  const banned = ban.map(text => ({ keys: keysOf(text), by: [] }));
  const replaced = replace.map(({ text, by }) => ({ keys: keysOf(text), by: wordsOfText(by) }));
  return { all: tableOf([...banned, ...replaced]), banned: tableOf(banned), profanity };
}

function tableOf(phrases: readonly Phrase[]): PhraseTable {
  const sorted = phrases.toSorted((a, b) => b.keys.length - a.keys.length);
  return Map.groupBy(sorted, ({ keys }) => keys[0] ?? '');
}

function wordsOfText(text: string): readonly ListedWord[] {
  const elements = text
    .trim()
    .split(/\s+/u)
    .map(value => ({ type: 'text', value }) as const);
  return wordListOf(elements).words.map(({ source: _, ...word }) => word);
}

export interface ApplyOptions {
  /** Normalised last words of the text before: a banned phrase may begin in it. */
  readonly before: readonly string[];
  /** True for a text that continues: words at its end that may begin a phrase are held back. */
  readonly isOpen: boolean;
}

/**
 * Applies rules to a text, from left to right, the longest phrase first. The result has no banned phrase, not even one formed
 * by replacements or by the words around omitted ones.
 */
export function applyPhrases(list: WordList, phrases: Phrases, options: ApplyOptions): WordList {
  let [before, after] = [
    list,
    applyOnce(list, { table: phrases.all, profanity: phrases.profanity, ...options }),
  ];
  while (after !== before && phrases.banned.size > 0) {
    before = after;
    after = applyOnce(before, { table: phrases.banned, profanity: 'show', ...options });
  }
  return after;
}

interface Pass extends ApplyOptions {
  readonly table: PhraseTable;
  readonly profanity: Phrases['profanity'];
}

/** Words from one index to before another, and the words in their place. */
interface Edit {
  readonly from: number;
  readonly to: number;
  readonly by: readonly ListedWord[];
  /** The masked form of a single word. */
  readonly mask?: ListedWord;
}

function applyOnce(list: WordList, pass: Pass): WordList {
  const { edits, length } = editsOf(list, pass);
  const open = length < list.words.length ? { words: list.words.slice(0, length), end: '' } : list;
  return edits.reduceRight(applyEdit, open);
}

/** Finds the edits, and the number of words before the words that are held back. */
function editsOf({ words }: WordList, { table, profanity, before, isOpen }: Pass) {
  const keys = [...before, ...words.map(({ key }) => key)];
  const start = before.length;
  const edits: Edit[] = [];
  let at = 0;
  while (at < keys.length) {
    const phrases = phrasesAt(table, keys[at] ?? '').filter(({ by }) => at >= start || by.length === 0);
    if (isOpen && phrases.some(phrase => mayBegin(phrase, keys, at))) {
      return { edits, length: Math.max(0, at - start) };
    }
    const found = phrases.find(phrase => isAt(phrase, keys, at) && at + phrase.keys.length > start);
    const word = words[at - start];
    const edit = found
      ? { from: Math.max(at, start) - start, to: at + found.keys.length - start, by: found.by }
      : word && profaneEdit(word, at - start, profanity);
    if (edit) edits.push(edit);
    at = edit ? edit.to + start : at + 1;
  }
  return { edits, length: words.length };
}

const POSSESSIVE = "'s";
const withoutPossessive = (key: string) => (key.endsWith(POSSESSIVE) ? key.slice(0, -2) : key);

function phrasesAt(table: PhraseTable, key: string): readonly Phrase[] {
  if (table.size === 0) return [];
  const bare = withoutPossessive(key);
  return [...(table.get(key) ?? []), ...(bare === key ? [] : (table.get(bare) ?? []))];
}

/** Returns whether a phrase stands at an index; its last word may be a possessive. */
function isAt({ keys: wanted }: Phrase, keys: readonly string[], at: number): boolean {
  const last = wanted.length - 1;
  return wanted.every((key, index) => {
    const found = keys[at + index];
    return found === key || (index === last && found === key + POSSESSIVE);
  });
}

/** Returns whether a text ends within a phrase that begins at an index. */
function mayBegin({ keys: wanted }: Phrase, keys: readonly string[], at: number): boolean {
  const count = keys.length - at;
  return wanted.length > count && wanted.slice(0, count).every((key, index) => keys[at + index] === key);
}

function profaneEdit(word: ListedWord, index: number, profanity: Phrases['profanity']): Edit | undefined {
  if (profanity === 'show' || word.key === '') return undefined;
  const text = maskProfanity(word.text);
  if (text === word.text) return undefined;
  const edit = { from: index, to: index + 1, by: [] };
  return profanity === 'drop' ? edit : { ...edit, mask: { ...word, text, core: text } };
}

function applyEdit(list: WordList, { from, to, by, mask }: Edit): WordList {
  if (mask) return { ...list, words: list.words.with(from, mask) };
  if (by.length === 0) return withoutWords(list, from, to);
  const { words } = list;
  return { ...list, words: [...words.slice(0, from), ...inPlace(list, from, to, by), ...words.slice(to)] };
}

/** Returns the words of a replacement, with the times, the marks and the capital of the words that they replace. */
function inPlace(
  { words }: WordList,
  from: number,
  to: number,
  by: readonly ListedWord[],
): readonly ListedWord[] {
  const [first, last] = [words[from]!, words[to - 1]!];
  const lead = first.text.slice(0, first.text.indexOf(first.core));
  const trail = last.text.slice(last.text.lastIndexOf(last.core) + last.core.length);
  const isPossessive = last.key.endsWith(POSSESSIVE) && !by.at(-1)!.key.endsWith(POSSESSIVE);
  const isCapital = opensSentence(words, from) && isCapitalised(first.core);
  const timed = withTimes(by, first.ts, last.endTs);
  return timed.map((word, index) => {
    const isFirst = index === 0;
    const text = isFirst && isCapital ? capitalised(word.text) : word.text;
    const after = index === by.length - 1 ? (isPossessive ? `${last.core.at(-2)}s` : '') + trail : '';
    return {
      ...word,
      ...(isFirst && { gap: first.gap, isInner: first.isInner }),
      text: (isFirst ? lead : '') + text + after,
    };
  });
}

/** Shares a span among words, by length. */
function withTimes(
  words: readonly ListedWord[],
  ts: number | undefined,
  endTs: number | undefined,
): readonly ListedWord[] {
  if (ts === undefined || endTs === undefined) return words;
  const length = words.reduce((sum, { text }) => sum + text.length, 0);
  let done = 0;
  return words.map((word, index) => {
    const from = ts + (done / length) * (endTs - ts);
    done += word.text.length;
    const to = index === words.length - 1 ? endTs : ts + (done / length) * (endTs - ts);
    return { ...word, ts: from, endTs: to };
  });
}
