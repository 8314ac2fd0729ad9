import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { parseDictionary } from '../pronunciation/dictionary.ts';
import { createGrammarDecoder } from './grammarDecoder.ts';
import type { HeardTextWord } from './heardRuns.ts';
import { sayableWords } from './sayableWords.ts';
import { createPieceCutter } from './speechPieces.ts';
import { createTextListener } from './textListener.ts';
import { TextSearch } from './textSearch.ts';
import { createWordSounds } from './wordSounds.ts';

/** One text that is looked for in one recording. Calls block. */
export interface Alignment extends Disposable {
  /** Mono, at the rate of the voice detector. */
  write(samples: Int16Array): void;
  /** The words that were found, by their number in the text, in order. */
  finish(): readonly HeardTextWord[];
}

/** Loads what is needed, and gets ready for a text. */
export async function createAlignment(text: readonly string[]): Promise<Alignment> {
  const model = fileURLToPath(new URL('./model/en-us/', import.meta.resolve('soundswallower')));
  // Its comments have one mark less than those of the format.
  const dictionary = parseDictionary(readFileSync(`${model}dict.txt`, 'utf8').replace(/^;.*/gm, ''));
  const words = sayableWords(text, createWordSounds(dictionary));
  const decoder = await createGrammarDecoder(model);
  const search = new TextSearch(words.length, createTextListener(decoder, words, phonesOf(dictionary)));
  const cutter = await createPieceCutter();
  return {
    write(samples) {
      for (const piece of cutter.write(samples)) search.take(piece);
    },
    finish() {
      for (const piece of cutter.end()) search.take(piece);
      return search.found().map(({ word, ...times }) => ({ ...times, word: words[word]!.number }));
    },
    [Symbol.dispose]: () => cutter[Symbol.dispose](),
  };
}

function phonesOf(dictionary: ReadonlyMap<string, readonly string[]>): readonly string[] {
  const phones = new Set<string>();
  for (const pronunciations of dictionary.values()) {
    for (const said of pronunciations) for (const phone of said.split(' ')) phones.add(phone);
  }
  return [...phones].sort();
}
