import { readEnglishWords } from './alignment/englishModel.ts';
import { encodeText } from './moonshine/tokens.ts';
import { contextPhrases } from './phrases/contextPhrases.ts';

/**
 * Returns the unusual words and names of an English document, by the included dictionary and recogniser. Blocks for some
 * 0.1 s.
 *
 * @example
 * englishPhrases('We met Okonkwo in Eindhoven.'); // ['Okonkwo', 'Eindhoven']
 */
export function englishPhrases(document: string): readonly string[] {
  return contextPhrases(document, readEnglishWords(), word => encodeText(word).length === 1);
}
