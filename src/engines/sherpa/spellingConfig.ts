import type { NativeConfig } from './messages.ts';
import { type SpellingFiles, wordPieceVocabulary } from './wordPieces.ts';

/** A recogniser's configuration, with a vocabulary where phrases are to be spelt by tokens. */
export function spellingConfig(task: {
  readonly config: NativeConfig;
  readonly spellBy?: SpellingFiles;
}): NativeConfig {
  const { config, spellBy } = task;
  const bpeVocab = spellBy && wordPieceVocabulary(spellBy);
  if (!bpeVocab) return config;
  const modelConfig = { ...(config.modelConfig as NativeConfig), bpeVocab, modelingUnit: 'bpe' };
  return { ...config, modelConfig };
}
