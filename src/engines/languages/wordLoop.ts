import { phonesOf } from './phoneLetters.ts';
import type { SoundingWord } from './soundingWords.ts';

/** The files that a decoder searches one language by. */
export interface WordLoop {
  /** Lines of a pronouncing dictionary; the words are named after the language. */
  readonly dictionary: string;
  /** A language model in ARPA format: any word may follow any other, each with its own probability. */
  readonly languageModel: string;
}

/** How likely an utterance is to end after a word, for what it matters. */
const END_SHARE = 0.05;

/** A loop over the words of a language. */
export function wordLoopOf(language: string, words: readonly SoundingWord[]): WordLoop {
  const total = words.reduce((sum, { count }) => sum + count, 0) / (1 - END_SHARE);
  const nameOf = (index: number) => `${language}${index}`;
  const entries = words.map(({ letters }, index) => `${nameOf(index)} ${phonesOf(letters)}\n`);
  const grams = words.map(({ count }, index) => `${Math.log10(count / total).toFixed(4)} ${nameOf(index)}`);
  return {
    dictionary: entries.join(''),
    languageModel: [
      ...['\\data\\', `ngram 1=${words.length + 2}`, '', '\\1-grams:', '-99 <s>'],
      ...[`${Math.log10(END_SHARE).toFixed(4)} </s>`, ...grams, '', '\\end\\', ''],
    ].join('\n'),
  };
}
