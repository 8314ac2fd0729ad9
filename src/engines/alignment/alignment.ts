import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { parseDictionary } from '../pronunciation/dictionary.ts';
import { createGrammarDecoder } from './grammarDecoder.ts';
import type { HeardTextWord } from './heardRuns.ts';
import { createPieceCutter } from './speechPieces.ts';
import { textGrammar } from './textGrammar.ts';
import { type Listen, TextSearch } from './textSearch.ts';
import { createWordSounds } from './wordSounds.ts';

/** One text that is looked for in one recording. Calls block. */
export interface Alignment extends Disposable {
  /** Mono, at the rate of the voice detector. */
  write(samples: Int16Array): void;
  /** The words that were found, by their number in the text, in order. */
  finish(): readonly HeardTextWord[];
}

/** A word of the text of which it is known how it is said. */
interface SayableWord {
  /** Its number in the text. */
  readonly number: number;
  readonly label: string;
  readonly pronunciations: readonly string[];
  readonly phones: number;
}

/** The label of a sound that belongs to no word; words have numbers. */
const SOUND = '+';

/** Loads what is needed, and gets ready for a text. */
export async function createAlignment(text: readonly string[]): Promise<Alignment> {
  const model = fileURLToPath(new URL('./model/en-us/', import.meta.resolve('soundswallower')));
  // Its comments have one mark less than those of the format.
  const dictionary = parseDictionary(readFileSync(`${model}dict.txt`, 'utf8').replace(/^;.*/gm, ''));
  const soundsOf = createWordSounds(dictionary);
  const isShouted = 2 * text.filter(word => /^[^a-z]*[A-Z][^a-z]*$/.test(word)).length > text.length;
  const words = text.flatMap((written, number): SayableWord[] => {
    // Where all is in capitals they do not tell initials.
    const pronunciations = soundsOf(isShouted ? written.toLowerCase() : written);
    if (pronunciations.length === 0) return [];
    const phones = Math.min(...pronunciations.map(each => each.split(' ').length));
    return [{ number, label: String(number), pronunciations, phones }];
  });
  const decoder = await createGrammarDecoder(model);
  const phones = phonesOf(dictionary);
  for (const phone of phones) decoder.teach(`${SOUND}${phone}`, [phone]);
  const sounds = phones.map(phone => `${SOUND}${phone}`);
  const taught = new Set<SayableWord>();
  const places = new Map(words.map(({ label }, place) => [label, place]));

  const listen: Listen = ({ from, to, expected }, samples) => {
    const part = words.slice(from, to);
    for (const word of part) {
      if (!taught.has(word)) decoder.teach(word.label, word.pronunciations);
      taught.add(word);
    }
    const grammar = textGrammar(
      part.map(({ label }) => label),
      expected - from,
      sounds,
    );
    return decoder.search(grammar, samples).map(({ label, startFrame, endFrame }) => {
      const place = places.get(label);
      const count = place === undefined ? 1 : words[place]!.phones;
      return { ...(place !== undefined && { word: place }), phones: count, startFrame, endFrame };
    });
  };
  const search = new TextSearch(words.length, listen);
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
