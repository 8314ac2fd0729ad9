import type { Dictionary } from './dictionary.ts';
import { type LetterToSound, learnLetterToSound } from './letterToSound.ts';

/** Says words that a dictionary lacks. */
export interface Pronouncer {
  /**
   * Pronunciations of a lower-case word that the dictionary lacks, likeliest first; none when it cannot be said.
   *
   * @param initials whether it may be said by the names of its letters
   */
  pronounce(word: string, initials?: boolean): readonly string[];
}

/** Of a word; more make it easier to hear where it was not said. */
const MAX_PRONUNCIATIONS = 3;
/** Less likely ones, next to the likeliest, are left out. */
const MIN_SHARE = 0.05;
/** What is remembered: a vocabulary is looked over first and used later. */
const MAX_REMEMBERED = 50_000;
const VOWEL = /[aeiouy]/;

/**
 * Says words by rules of the dictionary's own: letters by their names, "'s" by the sound before it, all else by what a
 * letter-to-sound model has learned from it, some 2 s of work when the first such word comes.
 */
export function createPronouncer(dictionary: Dictionary): Pronouncer {
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
    pronounce(word, initials = false) {
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

/** How a letter is called: "a." where "a" is first of all the article. */
function letterName(letter: string, dictionary: Dictionary): string | undefined {
  return (dictionary.get(`${letter}.`) ?? dictionary.get(letter))?.[0];
}

/** The sound of "'s" depends on the one before it: "cat's", "dog's", "horse's". */
function withS(phones: string): string {
  if (/(^| )(S|Z|SH|ZH|CH|JH)$/.test(phones)) return `${phones} IH Z`;
  return `${phones} ${/(^| )(P|T|K|F|TH)$/.test(phones) ? 'S' : 'Z'}`;
}
