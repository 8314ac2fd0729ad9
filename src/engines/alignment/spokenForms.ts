import { readPhrase, type SpokenWord } from '../phrases/readPhrase.ts';
import { numberForms } from './numberForms.ts';

/** One way to say something, word by word. */
export type SpokenForm = readonly SpokenWord[];

/** How a word may be said that a dictionary does not have as it is written; none when nobody could tell. */
export function spokenForms(written: string): readonly SpokenForm[] {
  const numbers = numberForms(written);
  if (numbers.length > 0) return numbers.map(words => words.map(value => ({ value })));
  const read = readPhrase(written);
  return 'tokens' in read ? [read.tokens.flatMap(({ words }) => words)] : [];
}
