import { parseSoundingWords, type SoundingWord } from './soundingWords.ts';

/** ISO 639-1 codes of the languages that there are words of. */
export const WORD_LANGUAGES = ['de', 'en', 'es', 'fr', 'it'] as const;

/** The commonest words of each language, as they sound. */
export async function readLanguages(): Promise<Readonly<Record<string, readonly SoundingWord[]>>> {
  const [de, en, es, fr, it] = await Promise.all([
    import('./words/de.ts'),
    import('./words/en.ts'),
    import('./words/es.ts'),
    import('./words/fr.ts'),
    import('./words/it.ts'),
  ]);
  const texts = { de, en, es, fr, it } satisfies Record<(typeof WORD_LANGUAGES)[number], { WORDS: string }>;
  return Object.fromEntries(
    Object.entries(texts).map(([language, { WORDS }]) => [language, parseSoundingWords(WORDS)]),
  );
}
