/** Characters that are spoken, also signs such as those of currencies. */
const SPOKEN = String.raw`\p{L}\p{M}\p{N}\p{Sc}%&@#+`;
const IS_SPOKEN = new RegExp(`[${SPOKEN}]`, 'u');
const NOT_SPOKEN = new RegExp(`[^${SPOKEN}\\s]`, 'gu');
/** Words: signs within them belong to them, as in "don't" and "3.5"; what is in brackets is a remark, not speech. */
const WORDS = new RegExp(
  String.raw`\[[^\[\]\n]*\]|[${SPOKEN}]+(?:(?:['’\-·_]|(?<=\p{N})[.,:/](?=\p{N}))[${SPOKEN}]+)*`,
  'gu',
);
/** Scripts without spaces between words. */
const UNSPACED = String.raw`[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]`;
const HAS_UNSPACED = new RegExp(UNSPACED, 'u');
const UNSPACED_END = new RegExp(`${UNSPACED}$`, 'u');
const UNSPACED_START = new RegExp(`^${UNSPACED}`, 'u');
const JOINED_BEFORE = new RegExp(`(?:[${SPOKEN}]|[${SPOKEN}]['’]|\\p{N}[.,:/])$`, 'u');
const JOINED_AFTER = new RegExp(`^(?:[${SPOKEN}]|['’][${SPOKEN}]|[.,:/]\\p{N})`, 'u');

/** UTF-16 units on either side of a word that decide whether it ends there. */
export const NEAR = 4;

/** A part of a text: start and end (exclusive) in UTF-16 units. */
export type TextRange = readonly [from: number, to: number];

/** Returns the letters by which a word is compared: without punctuation and case. */
export function keyOf(word: string): string {
  const spoken = word.toLowerCase().replace(NOT_SPOKEN, '').replace(/\s+/g, ' ').trim();
  return spoken === '' ? word : spoken;
}

/** Returns the words of a text, without the punctuation around them and without remarks in brackets. */
export function wordsOf(text: string): TextRange[] {
  const found: TextRange[] = [];
  for (const match of text.matchAll(WORDS)) {
    if (match[0].startsWith('[')) continue;
    if (HAS_UNSPACED.test(match[0])) found.push(...segmentsOf(match[0], match.index));
    else found.push([match.index, match.index + match[0].length]);
  }
  return found;
}

/** Whether a word goes on beyond a range. */
export interface Joins {
  readonly left: boolean;
  readonly right: boolean;
}

/** Returns whether the letters next to a range belong to the same word. */
export function joinsOf(text: string, [from, to]: TextRange): Joins {
  const before = text.slice(Math.max(0, from - NEAR), from);
  const after = text.slice(to, to + NEAR);
  const word = text.slice(from, to);
  return {
    left: JOINED_BEFORE.test(before) && !UNSPACED_END.test(before) && !UNSPACED_START.test(word),
    right: JOINED_AFTER.test(after) && !UNSPACED_START.test(after) && !UNSPACED_END.test(word),
  };
}

/** Returns whether the character before a position is of a script without spaces between words. */
export function isUnspacedAt(text: string, pos: number): boolean {
  return UNSPACED_END.test(text.slice(0, pos));
}

let segmenter: Intl.Segmenter | undefined;

function segmentsOf(text: string, offset: number): TextRange[] {
  segmenter ??= new Intl.Segmenter(undefined, { granularity: 'word' });
  return [...segmenter.segment(text)]
    .filter(({ segment }) => IS_SPOKEN.test(segment))
    .map(({ index, segment }) => [offset + index, offset + index + segment.length]);
}
