import { closeSync, writeFileSync } from 'node:fs';
import { openUnnamedFile } from '../process/unnamedFile.ts';
import type { PocketSphinxLibrary, Pointer } from './library.ts';
import { check, required } from './nativeFaults.ts';
import { type BaseModel, phraseModel } from './phraseModel.ts';
import type { PhraseVocabulary } from './phraseVocabulary.ts';

/** The type of a language model's file; 0 would try them all. */
const NGRAM_ARPA = 1;
const SEARCH_NAME = 'phrases';
/**
 * Both models count as they are. The library adds scores that it has already raised to the power of the language
 * weight, so what is added is felt only where the other model has next to nothing to say: all else stays as it was.
 */
const WEIGHTS = Float32Array.of(1, 1);

/**
 * Makes a decoder expect phrases from now on: its dictionary gets the words it lacks, and its language model the one of
 * the phrases beside it. Before the first utterance only, and once.
 *
 * @throws RxscribeError `engine-failed`; the decoder is then of no more use
 */
export function favourPhrases(
  library: PocketSphinxLibrary,
  decoder: Pointer,
  { words, phrases }: PhraseVocabulary,
): void {
  const search = library.ps_get_search(decoder);
  const model = required('ps_get_lm', search === null ? null : library.ps_get_lm(decoder, search));
  // Not the decoder's own, which claims to know every word of the dictionary: the search would have to try them all.
  const base = required('ngram_model_set_lookup', library.ngram_model_set_lookup(model, null));
  required('ngram_model_retain', library.ngram_model_retain(base));
  // A word that is added to a search goes into its language model, too, and that takes a millisecond each.
  check('ps_unset_search', library.ps_unset_search(decoder, search!));
  for (const line of words.split('\n')) {
    const at = line.indexOf(' ');
    if (at > 0) check('ps_add_word', library.ps_add_word(decoder, line.slice(0, at), line.slice(at + 1), 0));
  }
  const own = readModel(
    library,
    decoder,
    phraseModel(phrases.split('\n'), baseModel(library, decoder, base)),
  );
  const both = required(
    'ngram_model_set_init',
    library.ngram_model_set_init(null, [base, own], ['base', SEARCH_NAME], WEIGHTS, 2),
  );
  check('ps_set_lm', library.ps_set_lm(decoder, SEARCH_NAME, both));
  check('ps_set_search', library.ps_set_search(decoder, SEARCH_NAME));
}

function readModel(library: PocketSphinxLibrary, decoder: Pointer, arpa: string): bigint {
  const config = required('ps_get_config', library.ps_get_config(decoder));
  const logmath = required('ps_get_logmath', library.ps_get_logmath(decoder));
  const file = openUnnamedFile();
  try {
    writeFileSync(file, arpa);
    const model = library.ngram_model_read(config, `/dev/fd/${file}`, NGRAM_ARPA, logmath);
    return required('ngram_model_read', model);
  } finally {
    closeSync(file);
  }
}

function baseModel(library: PocketSphinxLibrary, decoder: Pointer, model: bigint): BaseModel {
  const logmath = required('ps_get_logmath', library.ps_get_logmath(decoder));
  const unknown = library.ngram_unknown_wid(model);
  const knows = (word: string) => library.ngram_wid(model, word) !== unknown;
  return {
    probability(word, previous) {
      if (!knows(word)) return 0;
      const history = previous !== undefined && knows(previous) ? ['str', previous] : [];
      return library.logmath_exp(logmath, library.ngram_probv(model, word, ...history, 'str', null));
    },
  };
}
