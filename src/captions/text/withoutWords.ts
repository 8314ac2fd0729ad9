import type { ListedWord, WordList } from './wordList.ts';

const SENTENCE_END = /[.?!…。？！]+/u;
/** Quotation marks and brackets. */
const PAIRED = '"“”„«»()[]';
const pairedIn = (text: string) => [...text].filter(mark => PAIRED.includes(mark)).join('');

/**
 * Removes words from a text. A mark that ends a sentence stays, a comma does not. A word that becomes the first of a sentence
 * takes over the capital of the removed one.
 *
 * @param to index after the last removed word
 */
export function withoutWords(list: WordList, from: number, to: number): WordList {
  const { words, end } = list;
  const [first, last] = [words[from]!, words[to - 1]!];
  const before = words[from - 1];
  const next = words[to];
  const left = first.gap + first.text.slice(0, first.text.indexOf(first.core));
  const closing = last.text.slice(last.text.lastIndexOf(last.core) + last.core.length);
  if (!next) {
    const rest = first.isInner ? closing + end : mergedGap(left, closing + end);
    return { words: words.slice(0, from), end: before ? endOf(rest) : '' };
  }
  const follower = { ...next, ...followerGap(list, from, to, { left, right: closing + next.gap }) };
  const isCapital = opensSentence(words, from) && isCapitalised(first.core);
  const core = isCapital ? capitalised(follower.core) : follower.core;
  const written = { ...follower, core, text: follower.text.replace(follower.core, () => core) };
  return { words: [...words.slice(0, from), written, ...words.slice(to + 1)], end };
}

/** Returns whether a word is the first one of a sentence. */
export function opensSentence(words: readonly ListedWord[], index: number): boolean {
  const before = words[index - 1];
  if (!before) return true;
  return SENTENCE_END.test(before.text.slice(before.text.lastIndexOf(before.core)) + words[index]!.gap);
}

export function isCapitalised(word: string): boolean {
  const [letter = ''] = word;
  return letter !== letter.toLowerCase();
}

/** Returns a text with its first character as a capital, where that is a letter: "3d" stays. */
export function capitalised(text: string): string {
  const [letter = ''] = text;
  return letter.toUpperCase() + text.slice(letter.length);
}

/** Returns the gap before the word after removed ones. */
function followerGap(
  { words }: WordList,
  from: number,
  to: number,
  gaps: { readonly left: string; readonly right: string },
): Pick<ListedWord, 'gap' | 'isInner'> {
  const [first, next] = [words[from]!, words[to]!];
  if (first.isInner && next.isInner) {
    const isOne = words[from - 1]!.source === next.source;
    return { gap: isOne ? first.gap : ' ', isInner: isOne };
  }
  if (first.isInner) return { gap: gaps.right, isInner: false };
  if (next.isInner) return { gap: first.gap, isInner: false };
  return { gap: from === 0 ? openingOf(gaps) : mergedGap(gaps.left, gaps.right), isInner: false };
}

/** Merges the gaps before and after removed words: `, ` and `. ` are `. `. */
function mergedGap(left: string, right: string): string {
  const [closed, opened] = aroundSpace(left);
  const [closing, opening] = aroundSpace(right);
  const closes = pairedIn(closing);
  const isPair = closes !== '' && pairedIn(opened) !== '';
  const ends = SENTENCE_END.exec(closing)?.[0];
  const mark = ends !== undefined && !SENTENCE_END.test(closed) ? ends : closed;
  const space = /\s/u.test(left + right) ? ' ' : '';
  return isPair ? mark + space + opening : mark + closes + space + opened + opening;
}

function openingOf({ left, right }: { readonly left: string; readonly right: string }): string {
  const [closing, opening] = aroundSpace(right);
  return (pairedIn(closing) === '' ? left.trimStart() : '') + opening;
}

/** Returns the text at the end of a sentence: a comma before removed words goes with them. */
function endOf(gap: string): string {
  const text = gap.trimEnd();
  return SENTENCE_END.test(text) ? text : pairedIn(text);
}

function aroundSpace(gap: string): readonly [string, string] {
  const [, before = gap, after = ''] = /^(\S*)\s(?:.*\s)?(\S*)$/su.exec(gap) ?? [];
  return [before, after];
}
