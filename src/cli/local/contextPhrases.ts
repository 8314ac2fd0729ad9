import { readEnglishDictionary } from '../../engines/alignment/englishModel.ts';
import { encodeText } from '../../engines/moonshine/tokens.ts';
import { contextPhrases } from '../../engines/phrases/contextPhrases.ts';

/** Returns the unusual words and names of an English document, by the included dictionary and recogniser. */
export function englishPhrases(document: string): readonly string[] {
  return contextPhrases(document, readEnglishDictionary(), word => encodeText(word).length === 1);
}
