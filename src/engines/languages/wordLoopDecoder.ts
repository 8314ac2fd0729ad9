import { closeSync, writeFileSync } from 'node:fs';
import type { PocketSphinxLibrary, Pointer } from '../pocketsphinx/library.ts';
import { check, required } from '../pocketsphinx/nativeFaults.ts';
import { openUnnamedFile } from '../process/unnamedFile.ts';
import type { HeardWords } from './messages.ts';
import type { SoundingWord } from './soundingWords.ts';
import { wordLoopOf } from './wordLoop.ts';

/** Compares what is said with the words of each language. Calls block; after an error it is of no more use. */
export interface WordLoopDecoder {
  /** By language. */
  hear(samples: Int16Array): Readonly<Record<string, HeardWords>>;
}

/** The type of a language model's file; 0 would try them all. */
const NGRAM_ARPA = 1;
const OPTIONS: Readonly<Record<string, string>> = {
  '-fwdflat': 'no',
  '-bestpath': 'no',
  '-remove_silence': 'no',
  // Scores are relative to the best sound of each moment: of all sounds, or languages could not be compared.
  '-compallsen': 'yes',
  '-lw': '3',
  // With a third of the library's default the scores are nearly the same (r = 0.995), for 12 % less time.
  '-maxhmmpf': '1000',
  '-beam': '1e-40',
  '-wbeam': '1e-25',
};

/**
 * Opens a decoder with a search for each language, over one acoustic model.
 *
 * @param acousticModel directory of an English model with the phones of the CMU dictionary, at 16 kHz
 * @throws RxscribeError `engine-failed` when the model cannot be used
 */
export function createWordLoopDecoder(
  library: PocketSphinxLibrary,
  acousticModel: string,
  words: Readonly<Record<string, readonly SoundingWord[]>>,
): WordLoopDecoder {
  const languages = Object.keys(words);
  const handle = open(library, acousticModel, words);
  return {
    hear: samples =>
      Object.fromEntries(languages.map(language => [language, hear(library, handle, language, samples)])),
  };
}

function open(
  library: PocketSphinxLibrary,
  acousticModel: string,
  words: Readonly<Record<string, readonly SoundingWord[]>>,
): Pointer {
  const loops = Object.entries(words).map(([language, all]) => ({ language, ...wordLoopOf(language, all) }));
  const definitions = required('ps_args', library.ps_args());
  const start = (dictionary: string) => {
    const options = { ...OPTIONS, '-hmm': acousticModel, '-dict': dictionary };
    const typed = Object.entries(options).flatMap(pair => pair.flatMap(text => ['str', text]));
    const config = required('cmd_ln_init', library.cmd_ln_init(null, definitions, 1, ...typed, 'str', null));
    return { config, handle: required('ps_init', library.ps_init(config)) };
  };
  const { config, handle } = withFile(loops.map(({ dictionary }) => dictionary).join(''), start);
  const logmath = required('ps_get_logmath', library.ps_get_logmath(handle));
  for (const { language, languageModel } of loops) {
    const read = (path: string) => library.ngram_model_read(config, path, NGRAM_ARPA, logmath);
    const model = required('ngram_model_read', withFile(languageModel, read));
    check('ps_set_lm', library.ps_set_lm(handle, language, model));
  }
  return handle;
}

/** Has a file with some text read, which nothing is left of. */
function withFile<T>(text: string, read: (path: string) => T): T {
  const file = openUnnamedFile();
  try {
    writeFileSync(file, text);
    return read(`/dev/fd/${file}`);
  } finally {
    closeSync(file);
  }
}

function hear(
  library: PocketSphinxLibrary,
  handle: Pointer,
  language: string,
  samples: Int16Array,
): HeardWords {
  check('ps_set_search', library.ps_set_search(handle, language));
  check('ps_start_stream', library.ps_start_stream(handle));
  check('ps_start_utt', library.ps_start_utt(handle));
  check('ps_process_raw', library.ps_process_raw(handle, samples, samples.length, 0, 1));
  check('ps_end_utt', library.ps_end_utt(handle));
  let [score, frames, words] = [0, 0, 0];
  // The iterator frees itself when it reaches the end.
  for (let segment = library.ps_seg_iter(handle); segment; segment = library.ps_seg_next(segment)) {
    // Pauses and noise tell of no language.
    if (/^[<[+]/.test(library.ps_seg_word(segment) ?? '<')) continue;
    const [acoustic, model, start, end]: [[number], [number], [number], [number]] = [[0], [0], [0], [0]];
    library.ps_seg_prob(segment, acoustic, model, [0]);
    library.ps_seg_frames(segment, start, end);
    score += acoustic[0] + model[0];
    frames += end[0] - start[0] + 1;
    words++;
  }
  return { score: frames === 0 ? 0 : score / frames, words };
}
