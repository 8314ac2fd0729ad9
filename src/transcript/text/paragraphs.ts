import { BREAK_COST, breakCost } from '../cues/breakCost.ts';
import type { Token } from './tokens.ts';

/** Seconds without words that end a paragraph. */
const PAUSE_SECONDS = 4;
/** Characters after which a paragraph ends with its sentence, and after which it ends anyway. */
const LONG_CHARACTERS = 500;
const LONGEST_CHARACTERS = 1500;

/**
 * Splits the words of one speaker into paragraphs: at a long pause, and at the end of a sentence of a long paragraph. Later words
 * do not change the paragraphs before.
 *
 * @param language ISO 639-1 code, optionally with a region
 */
export function paragraphsOf(tokens: readonly Token[], language: string): readonly (readonly Token[])[] {
  const paragraphs: Token[][] = [];
  let length = 0;
  for (const token of tokens) {
    const last = paragraphs.at(-1)?.at(-1);
    if (!last || isPause(last, token) || isLongEnough(length, breakCost(last.text, token.text, language))) {
      paragraphs.push([]);
      length = 0;
    }
    paragraphs.at(-1)?.push(token);
    length += token.text.length + 1;
  }
  return paragraphs;
}

function isPause({ endTs }: Token, { ts }: Token): boolean {
  return endTs !== undefined && ts !== undefined && ts - endTs >= PAUSE_SECONDS;
}

function isLongEnough(length: number, cost: number): boolean {
  return length > (cost === BREAK_COST.sentence ? LONG_CHARACTERS : LONGEST_CHARACTERS);
}
