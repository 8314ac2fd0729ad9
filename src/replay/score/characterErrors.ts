import { distance } from 'fastest-levenshtein';
import { alignWords } from '../align/alignWords.ts';
import { countErrors, type TokenErrors, tokenErrors } from './errorCounts.ts';

const graphemes = new Intl.Segmenter('und', { granularity: 'grapheme' });
const CODE_UNITS = 0x1_00_00;
/** As many arguments as a function takes on any stack. */
const CHUNK = 8192;

/** Scripts in which no space is written between words. */
const UNSPACED = ['Han', 'Hiragana', 'Katakana', 'Bopomofo', 'Thai', 'Lao', 'Khmer', 'Myanmar', 'Tibetan']
  .map(script => String.raw`\p{scx=${script}}`)
  .join('');
const NEEDLESS_SPACES = new RegExp(`(?<=[${UNSPACED}]) | (?=[${UNSPACED}])`, 'gu');

/**
 * Least number of edits (Levenshtein) between characters of words that are joined by single spaces; spaces count, but
 * beside scripts that are written without spaces there are none.
 *
 * A character is a grapheme, what a reader takes for one: where letters carry marks of their own code point, jiwer, which
 * counts code points, counts more.
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
