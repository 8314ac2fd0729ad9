import type { TextElement, TranscriptElement } from '../../transcript/model/model.ts';

/** A word of a text, in which phrases are looked for. */
export interface ListedWord {
  /** Normalised form; empty where no phrase can match. */
  readonly key: string;
  /** The word with the marks around it that are part of its element. */
  readonly text: string;
  /** The word alone. */
  readonly core: string;
  /** Text between the previous word and this one; before the first word, the start of the text. */
  readonly gap: string;
  /** True when the gap is within one element, as in "well-known". */
  readonly isInner: boolean;
  /** The element that the word is of; absent for words of replacements. */
  readonly source?: TranscriptElement;
  /** Seconds since the start of the audio, where known. */
  readonly ts?: number;
  readonly endTs?: number;
}

export interface WordList {
  readonly words: readonly ListedWord[];
  /** Text after the last word. */
  readonly end: string;
}

/** Scripts that have no spaces between words: each character counts as a word, so that phrases match anywhere. */
const UNSPACED = String.raw`\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}`;
const LETTER = String.raw`[[\p{L}\p{N}\p{M}\p{S}%#&@]--[${UNSPACED}]]`;
const WORD = new RegExp(`[${UNSPACED}]\\p{M}*|${LETTER}+(?:['’]${LETTER}+)*`, 'gv');

/** Returns the normalised words of a phrase. */
export function keysOf(phrase: string): readonly string[] {
  return [...phrase.normalize('NFKC').matchAll(WORD)].map(([word]) => keyOf(word));
}

const keyOf = (word: string) => word.normalize('NFKC').toLowerCase().replaceAll('’', "'");

/** Splits elements into words and the gaps between them. */
export function wordListOf(elements: readonly TranscriptElement[]): WordList {
  const words: ListedWord[] = [];
  let gap = '';
  let before: TranscriptElement | undefined;
  for (const element of elements) {
    // Two adjacent word elements are separate words.
    const isApart = before && before.type !== 'punct' && element.type !== 'punct';
    before = element;
    if (element.type === 'punct') {
      gap += element.value;
      continue;
    }
    if (isApart) gap += ' ';
    for (const word of wordsOfElement(element)) words.push(word.isInner ? word : { ...word, gap });
    gap = '';
  }
  return { words, end: gap };
}

function wordsOfElement(
  element: TextElement | Exclude<TranscriptElement, TextElement>,
): readonly ListedWord[] {
  const { value } = element;
  const found = element.type === 'text' ? [...value.matchAll(WORD)] : [];
  if (found.length === 0) {
    return [
      { key: '', text: value, core: value, gap: '', isInner: false, source: element, ...timesOf(element) },
    ];
  }
  return found.map((match, index) => {
    const from = index === 0 ? 0 : match.index;
    const next = found[index + 1];
    const wordEnd = match.index + match[0].length;
    const to = next ? wordEnd : value.length;
    const before = found[index - 1];
    return {
      key: keyOf(match[0]),
      text: value.slice(from, to),
      core: match[0],
      gap: before ? value.slice(before.index + before[0].length, match.index) : '',
      isInner: index > 0,
      source: element,
      ...timesOf(element, from / value.length, to / value.length),
    };
  });
}

/** Returns the times of a part of an element, by length. */
function timesOf(element: TranscriptElement, from = 0, to = 1): { ts?: number; endTs?: number } {
  if (element.type !== 'text' || element.ts === undefined) return {};
  const { ts, endTs = ts } = element;
  return { ts: ts + from * (endTs - ts), endTs: to === 1 ? endTs : ts + to * (endTs - ts) };
}

/** Joins words and gaps to elements. Unchanged elements are the same objects. */
export function elementsOfList({ words, end }: WordList): readonly TranscriptElement[] {
  const groups: [ListedWord, ...ListedWord[]][] = [];
  for (const word of words) {
    const last = groups.at(-1);
    if (word.isInner && last) last.push(word);
    else groups.push([word]);
  }
  const elements = groups.flatMap(group => [...marks(group[0].gap), elementOf(group)]);
  return [...elements, ...marks(end)];
}

function elementOf(words: readonly [ListedWord, ...ListedWord[]]): TranscriptElement {
  const [first] = words;
  const value = words.map(({ gap, text }, index) => (index === 0 ? text : gap + text)).join('');
  const { source } = first;
  if (source && source.value === value) return source;
  const { ts } = first;
  const endTs = words.at(-1)?.endTs;
  const { confidence } = (source ?? {}) as TextElement;
  return { type: 'text', value, ts, endTs, confidence };
}

/** Splits the text of a gap into elements; a single space is an element of its own. */
function marks(gap: string): readonly TranscriptElement[] {
  return (gap.match(/\s+|\S+/gu) ?? []).map(mark => ({
    type: 'punct',
    value: mark.trim() === '' ? ' ' : mark,
  }));
}
