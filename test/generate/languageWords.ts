/**
 * Counts the words of public-domain books and writes how they sound, for the identification of languages.
 *
 * The books come with the source package of maliit-keyboard (Debian), the pronunciations from espeak-ng, a program
 * that only this generator needs:
 *
 *     apt-get source --download-only maliit-keyboard && tar xzf maliit-keyboard_*.orig.tar.gz
 *     apt-get install -y espeak-ng
 *     npx tsx test/generate/languageWords.ts keyboard-2.3.1/plugins src/engines/languages/words
 */
import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { lettersOf, type SoundGroup } from '../../src/engines/languages/soundingWords.ts';
import { parseDictionary } from '../../src/engines/pronunciation/dictionary.ts';
import { phonesOfIpa } from './ipaPhones.ts';

interface Book {
  readonly language: string;
  readonly path: string;
  /** Note for readers of the data; all authors died more than seventy years ago. */
  readonly title: string;
}

const BOOKS: readonly Book[] = [
  { language: 'de', path: 'de/src/buddenbrooks.txt', title: 'Thomas Mann, Buddenbrooks (1901)' },
  {
    language: 'en',
    path: 'en/src/the_picture_of_dorian_gray.txt',
    title: 'Oscar Wilde, The Picture of Dorian Gray (1890)',
  },
  {
    language: 'es',
    path: 'es/src/el_quijote.txt',
    title: 'Miguel de Cervantes, Don Quijote de la Mancha (1605)',
  },
  {
    language: 'fr',
    path: 'fr/src/les_trois_mousquetaires.txt',
    title: 'Alexandre Dumas, Les Trois Mousquetaires (1844)',
  },
  {
    language: 'it',
    path: 'it/src/la_francia_dal_primo_impero.txt',
    title: 'H. von Sybel, La Francia dal primo impero al 1871, translated in the nineteenth century',
  },
];

const MAX_WORDS = Number(process.env.MAX_WORDS ?? 6000);
const DICTIONARY = new URL('./model/en-us/dict.txt', import.meta.resolve('soundswallower'));

/** Counts of words; a part that ends in an apostrophe, as `l'`, is a word. */
export function countWords(text: string): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const [word] of text
    .normalize('NFC')
    .replaceAll('’', "'")
    .toLowerCase()
    .matchAll(/\p{Script=Latin}+'?/gu)) {
    counts.set(word, (counts.get(word) ?? 0) + 1);
  }
  return counts;
}

/** Pronunciations of words by espeak-ng. */
function pronounce(language: string, words: readonly string[]): readonly (readonly string[])[] {
  // A vowel after the apostrophe, or it would spell the letter.
  const vowel = language === 'fr' ? 'e' : 'a';
  const input = words.map(word => `${word.replace(/'$/, vowel)}.\n`).join('');
  const options = ['-q', '-v', language, '--ipa', '--sep=_', '--stdin'];
  const said = execFileSync('espeak-ng', options, { input, encoding: 'utf8', maxBuffer: 1 << 26 });
  const lines = said.trimEnd().split('\n');
  if (lines.length !== words.length) {
    throw new Error(`pronounce ${language}: ${words.length} words, ${lines.length} lines`);
  }
  return lines.map((line, index) => {
    // Some words are said by another language's rules, which espeak-ng names in brackets.
    const phones = phonesOfIpa(line.replace(/\([a-z-]+\)/g, ''));
    return words[index]!.endsWith("'") ? phones.slice(0, -1) : phones;
  });
}

/** Pronunciations of words in the acoustic model's dictionary, without words that it lacks. */
function readEnglish(words: readonly string[]): readonly (readonly string[])[] {
  // Its comments have one mark less than those of the format.
  const dictionary = parseDictionary(readFileSync(DICTIONARY, 'utf8').replace(/^;.*/gm, ''));
  return words.map(word => dictionary.get(word)?.[0]?.split(' ') ?? []);
}

function soundsOf(language: string, text: string): ReadonlyMap<string, number> {
  const counts = [...countWords(text)].sort(([, one], [, other]) => other - one).slice(0, 1.2 * MAX_WORDS);
  const words = counts.map(([word]) => word);
  const said = language === 'en' ? readEnglish(words) : pronounce(language, words);
  const sounds = new Map<string, number>();
  for (const [index, [, count]] of counts.entries()) {
    const letters = lettersOf(said[index]!);
    if (letters !== '') sounds.set(letters, (sounds.get(letters) ?? 0) + count);
  }
  const sorted = [...sounds].sort(([one, ones], [other, others]) => others - ones || (one < other ? -1 : 1));
  return new Map(sorted.slice(0, MAX_WORDS));
}

/** Returns the words by their counts, which come in descending order. */
function groupsOf(sounds: ReadonlyMap<string, number>): readonly SoundGroup[] {
  const groups = Map.groupBy(sounds, ([, count]) => count);
  return [...groups].map(([count, words]) => ({
    count,
    sounds: words.map(([letters]) => letters).join(' '),
  }));
}

const [plugins, target] = process.argv.slice(2);
if (plugins && target) {
  for (const { language, path, title } of BOOKS) {
    const words = groupsOf(soundsOf(language, readFileSync(join(plugins, path), 'utf8')));
    const source = `The commonest words of ${title}, public domain, as phones.`;
    writeFileSync(join(target, `${language}.json`), `${JSON.stringify({ source, words }, undefined, 2)}\n`);
    console.log(language, words.length);
  }
  console.log('npx biome check --write', target);
}
