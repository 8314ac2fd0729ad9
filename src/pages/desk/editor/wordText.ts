/** Characters of words, as the server cuts them: also symbols that are spoken. */
const SPOKEN = String.raw`\p{L}\p{M}\p{N}\p{S}%#&@`;
const NOT_SPOKEN = new RegExp(`[^${SPOKEN}\\s]`, 'gu');
/** Remarks such as `[inaudible]`, and text between spaces. */
const TOKENS = /\[[^[\]\n]*\]|[^\s[]+|\[/gu;
/** A token without the punctuation around it. */
const WITHIN_MARKS = new RegExp(`[${SPOKEN}](?:.*[${SPOKEN}])?`, 'su');
const JOINED_BEFORE = new RegExp(`[${SPOKEN}]\\S*$`, 'u');
const JOINED_AFTER = new RegExp(`^\\S*[${SPOKEN}]`, 'u');

/** UTF-16 units on either side of a word that decide whether it ends there. */
export const NEAR = 40;

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
  for (const { 0: token, index } of text.matchAll(TOKENS)) {
    const match = token.startsWith('[') ? null : WITHIN_MARKS.exec(token);
    if (match) found.push([index + match.index, index + match.index + match[0].length]);
  }
  return found;
}

/** Returns a term with the spaces that it needs between the characters around it. */
export function spacedTerm(term: string, before: string, after: string): string {
  const isWord = (text: string) => /^[\p{L}\p{N}]$/u.test(text);
  const lead = before === '' || /^[\s([{"'„“«¿¡]$/u.test(before) ? '' : ' ';
  return lead + term + (isWord(after) ? ' ' : '');
}

/** Returns whether a word continues beyond a range. */
export interface Joins {
  readonly left: boolean;
  readonly right: boolean;
}

/** Returns whether letters next to a range, without a space between, belong to the same word. */
export function joinsOf(text: string, [from, to]: TextRange): Joins {
  return {
    left: JOINED_BEFORE.test(text.slice(Math.max(0, from - NEAR), from)),
    right: JOINED_AFTER.test(text.slice(to, to + NEAR)),
  };
}

/** Extends a range to the next spaces, but by no more than the characters that decide where words end. */
export function upToSpaces(text: string, [from, to]: TextRange): TextRange {
  const start = Math.max(0, from - NEAR);
  return [start + text.slice(start, from).search(/\S*$/), to + text.slice(to, to + NEAR).search(/\s|$/)];
}
