import { readFileSync } from 'node:fs';
import { type Dictionary, parseDictionary } from '../../../src/engines/pronunciation/dictionary.ts';

const MODEL = new URL('./model/en-us/', import.meta.resolve('soundswallower'));

/** Returns the pronouncing dictionary of SoundSwallower. */
export function soundDictionary(): Dictionary {
  // Comments of this file begin with one semicolon; the format has three.
  return parseDictionary(readFileSync(new URL('dict.txt', MODEL), 'utf8').replace(/^;.*/gm, ''));
}
