import { readFileSync } from 'node:fs';
import { type Dictionary, parseDictionary } from '../pronunciation/dictionary.ts';
import { ENGLISH_MODEL } from '../soundswallower/grammarDecoder.ts';

/** Flags of a process that reads the dictionary. A small young generation is collected early: reading leaves much garbage. */
export const DICTIONARY_FLAGS = ['--max-semi-space-size=4'];

/** Reads the dictionary of the model. Blocks for some 0.2 s. */
export function readEnglishDictionary(): Dictionary {
  return parseDictionary(readDictionaryFile());
}

/** Reads the words of the dictionary, in lower case. Blocks for some 0.05 s. */
export function readEnglishWords(): ReadonlySet<string> {
  return new Set(readDictionaryFile().match(/^\S+/gm));
}

/** Comments of the file begin with one semicolon; those of the format with three. */
function readDictionaryFile(): string {
  return readFileSync(`${ENGLISH_MODEL}dict.txt`, 'utf8').replace(/^;.*/gm, '');
}
