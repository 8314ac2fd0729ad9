import { readEnglishDictionary } from '../../engines/alignment/englishModel.ts';
import { encodeText } from '../../engines/moonshine/tokens.ts';
import { contextPhrases } from '../../engines/phrases/contextPhrases.ts';

/** Returns the unusual words and names of an English document, by the included dictionary and recogniser. */
export function englishPhrases(document: string): readonly string[] {
  const dictionary = readEnglishDictionary();
  return contextPhrases(document, {
    inDictionary: word => dictionary.has(word),
    isToken: word => encodeText(word).length === 1,
  });
}
