import type { Dictionary } from './dictionary.ts';
import { type LetterToSound, learnLetterToSound } from './letterToSound.ts';

/** Pronounces words outside the dictionary. */
export type Pronouncer = ReturnType<typeof createPronouncer>;

/** Limit of the pronunciations of a word; more make false matches likelier. */
const MAX_PRONUNCIATIONS = 3;
/** Least probability relative to the best pronunciation. */
const MIN_SHARE = 0.05;
/** Limit of the cache: the words of a vocabulary are checked first and used later. */
const MAX_REMEMBERED = 50_000;
const VOWEL = /[aeiouy]/;

/**
 * Pronounces words by rules and by the dictionary's own words: names of letters, "'s" by the sound before it,
 * and a letter-to-sound model for all else, which takes some 3 s to learn on first use.
 */
export function createPronouncer(dictionary: Dictionary) {
  let learned: LetterToSound | undefined;
  const remembered = new Map<string, readonly string[]>();

  function byLetters(word: string): readonly string[] {
    const names = [...word].map(letter => letterName(letter, dictionary));
    return names.includes(undefined) ? [] : [names.join(' ')];
  }

  function bySound(word: string): readonly string[] {
    learned ??= learnLetterToSound(dictionary);
    const guesses = learned.pronounce(word, MAX_PRONUNCIATIONS);
    const best = guesses[0]?.probability ?? 0;
    return guesses.filter(({ probability }) => probability >= MIN_SHARE * best).map(({ phones }) => phones);
  }

  function find(word: string, initials: boolean): readonly string[] {
    const owner = word.endsWith("'s") ? dictionary.get(word.slice(0, -2)) : undefined;
    if (owner) return owner.map(withS);
    const named = initials ? byLetters(word) : [];
    const sounded = VOWEL.test(word) ? bySound(word) : [];
    return [...new Set([...named, ...sounded])].slice(0, MAX_PRONUNCIATIONS);
  }

  return {
    /**
     * Returns the pronunciations of a lower-case word, likeliest first; empty when it cannot be said.
     *
     * @param initials true when it may be spelled out
     */
    pronounce(word: string, initials: boolean = false) {
      const key = `${initials} ${word}`;
      const known = remembered.get(key);
      if (known) return known;
      const found = find(word, initials);
      if (remembered.size >= MAX_REMEMBERED) remembered.clear();
      remembered.set(key, found);
      return found;
    },
  };
}

/** Returns the name of a letter: "a.", since "a" is the article. */
function letterName(letter: string, dictionary: Dictionary): string | undefined {
  return (dictionary.get(`${letter}.`) ?? dictionary.get(letter))?.[0];
}

/** Adds the sound of "'s", which depends on the one before it: "cat's", "dog's", "horse's". */
function withS(phones: string): string {
  if (/(^| )(S|Z|SH|ZH|CH|JH)$/.test(phones)) return `${phones} IH Z`;
  return `${phones} ${/(^| )(P|T|K|F|TH)$/.test(phones) ? 'S' : 'Z'}`;
}
