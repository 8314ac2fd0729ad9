import { readFileSync } from 'node:fs';
import { type Dictionary, parseDictionary } from '../../../src/engines/pronunciation/dictionary.ts';

const MODEL = new URL('./model/en-us/', import.meta.resolve('soundswallower'));

/** Returns the pronouncing dictionary that comes with SoundSwallower. */
export function soundDictionary(): Dictionary {
  // Its comments have one mark less than those of the format.
  return parseDictionary(readFileSync(new URL('dict.txt', MODEL), 'utf8').replace(/^;.*/gm, ''));
}
