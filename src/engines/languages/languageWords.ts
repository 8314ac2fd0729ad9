import { type SoundingWord, soundingWords, type WORD_LANGUAGES } from './soundingWords.ts';
import de from './words/de.json' with { type: 'json' };
import en from './words/en.json' with { type: 'json' };
import es from './words/es.json' with { type: 'json' };
import fr from './words/fr.json' with { type: 'json' };
import it from './words/it.json' with { type: 'json' };

/** The most frequent words of each language by their sound. They take 270 kB: only the process that compares loads them. */
export const LANGUAGE_WORDS: Readonly<Record<(typeof WORD_LANGUAGES)[number], readonly SoundingWord[]>> = {
  de: soundingWords(de.words),
  en: soundingWords(en.words),
  es: soundingWords(es.words),
  fr: soundingWords(fr.words),
  it: soundingWords(it.words),
};
