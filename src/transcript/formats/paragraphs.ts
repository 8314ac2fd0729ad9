import { BREAK_COST, breakCost } from '../cues/breakCost.ts';
import type { Token } from '../text/tokens.ts';

/** Seconds without words that end a paragraph. */
const PAUSE_SECONDS = 4;
/** Characters after which a paragraph ends with its sentence, and after which it ends anyway. */
const LONG = 500;
const LONGEST = 1500;

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
    const pause = (token.ts ?? 0) - (last?.endTs ?? Number.POSITIVE_INFINITY);
    const isSentence = last && breakCost(last.text, token.text, language) === BREAK_COST.sentence;
    const begins = !last || pause >= PAUSE_SECONDS || length > (isSentence ? LONG : LONGEST);
    if (begins) paragraphs.push([]);
    paragraphs.at(-1)?.push(token);
    length = (begins ? 0 : length) + token.text.length + 1;
  }
  return paragraphs;
}
