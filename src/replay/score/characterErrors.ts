import { distance } from 'fastest-levenshtein';
import { alignWords } from '../align/alignWords.ts';
import { countErrors, type TokenErrors, tokenErrors } from './errorCounts.ts';

const graphemes = new Intl.Segmenter('und', { granularity: 'grapheme' });
const CODE_UNITS = 0x1_00_00;
/** Arguments per call that fit on any stack. */
const CHUNK = 8192;

/** Scripts that are written without spaces between words. */
const UNSPACED = ['Han', 'Hiragana', 'Katakana', 'Bopomofo', 'Thai', 'Lao', 'Khmer', 'Myanmar', 'Tibetan']
  .map(script => String.raw`\p{scx=${script}}`)
  .join('');
const NEEDLESS_SPACES = new RegExp(`(?<=[${UNSPACED}]) | (?=[${UNSPACED}])`, 'gu');

/**
 * Counts the edits (Levenshtein) between the characters of words joined by single spaces. Spaces count, but are removed
 * next to scripts that are written without spaces.
 *
 * A character is a grapheme. Where letters carry combining marks, jiwer counts more errors, because it counts code
 * points.
 *
 * @example
 * characterErrors(['this', 'is'], ['this']) // { tokens: 7, errors: 3 }
 */
export function characterErrors(reference: readonly string[], hypothesis: readonly string[]): TokenErrors {
  const said = charactersOf(reference);
  const heard = charactersOf(hypothesis);
  const numbers = new Map([...new Set([...said, ...heard])].map((character, number) => [character, number]));
  if (numbers.size > CODE_UNITS) return tokenErrors(countErrors(alignWords(said, heard)));
  const coded = (characters: readonly string[]) => codeUnits(characters.map(each => numbers.get(each)!));
  return { tokens: said.length, errors: distance(coded(said), coded(heard)) };
}

const charactersOf = (words: readonly string[]) =>
  Array.from(graphemes.segment(words.join(' ').replace(NEEDLESS_SPACES, '')), ({ segment }) => segment);

function codeUnits(numbers: readonly number[]): string {
  let text = '';
  for (let start = 0; start < numbers.length; start += CHUNK)
    text += String.fromCharCode(...numbers.slice(start, start + CHUNK));
  return text;
}
