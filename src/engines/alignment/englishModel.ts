import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { type Dictionary, parseDictionary } from '../pronunciation/dictionary.ts';

/** Directory of SoundSwallower's acoustic model of English, with a trailing slash. */
export const ENGLISH_MODEL = fileURLToPath(new URL('./model/en-us/', import.meta.resolve('soundswallower')));

/** Reads the dictionary of the model. Blocks for some 0.2 s. */
export function readEnglishDictionary(): Dictionary {
  // Its comments begin with one semicolon; the format has three.
  return parseDictionary(readFileSync(`${ENGLISH_MODEL}dict.txt`, 'utf8').replace(/^;.*/gm, ''));
}
