import type { EnglishWord } from './englishWord.ts';
import { isNumberWord, isNumeral } from './numberWords.ts';

/** uh, um, uhm, erm, hm, hmm, mm, mhm, however long. */
const FILLER = /^(?:u+h+|u+m+|u+h+m+|e+r+m+|h+m+|mm+|m+h+m+)$/;

/** Without sounds of hesitation and of listening; `mm` behind a number are millimetres. */
export function withoutFillers(words: readonly EnglishWord[]): readonly EnglishWord[] {
  const kept: EnglishWord[] = [];
  for (const word of words) {
    const before = kept.at(-1)?.word ?? '';
    const isMeasure = word.word === 'mm' && (isNumeral(before) || isNumberWord(before));
    if (isMeasure || !FILLER.test(word.word)) kept.push(word);
  }
  return kept;
}
