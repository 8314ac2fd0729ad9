import type { SpokenWord } from '../phrases/readPhrase.ts';
import type { Dictionary } from '../pronunciation/dictionary.ts';
import { createPronouncer, type Pronouncer } from '../pronunciation/pronouncer.ts';
import { type SpokenForm, spokenForms } from './spokenForms.ts';

/** Returns the pronunciations of a written word, phones separated by spaces; empty when unknown. */
export type WordSounds = (written: string) => readonly string[];

/** Limits of the pronunciations of a word: each takes time to search. */
const MAX_PRONUNCIATIONS = 10;
const MAX_PER_FORM = 4;
/** Limit of the phones of a word: a longer one is no word, and would outlast the speech. */
const MAX_PHONES = 80;
/**
 * Limit of the letters of all distinct words that are not in the dictionary: a guess takes some 0.07 ms a
 * letter.
 */
const MAX_GUESSED_LETTERS = 100_000;
/** Punctuation around a word, without the signs that are spoken. */
const AROUND = /^[^\p{L}\p{N}$€£&%]+|[^\p{L}\p{N}%&+]+$/gu;

/**
 * Returns the pronunciations of words of one text: from the dictionary, as numbers, part by part, or guessed
 * by their letters. It guesses at unknown words of 100,000 letters in all, which takes some 10 s; later ones
 * get none.
 */
export function createWordSounds(
  dictionary: Dictionary,
  pronouncer: Pronouncer = createPronouncer(dictionary),
): WordSounds {
  const guessed = new Set<string>();
  let guessedLetters = 0;

  function guess({ value, initials }: SpokenWord): readonly string[] {
    if (!guessed.has(value)) {
      if (guessedLetters + value.length > MAX_GUESSED_LETTERS) return [];
      guessedLetters += value.length;
      guessed.add(value);
    }
    return pronouncer.pronounce(value, initials);
  }

  function soundsOfWord(word: SpokenWord): readonly string[] {
    const { value, initials } = word;
    const known = dictionary.get(value);
    if (!known) return guess(word);
    // "IT" may be the word "it" or two letters. A letter is looked up with a full stop: "a" is the article.
    const letters = initials ? [...value].map(letter => ({ value: `${letter}.` })) : [];
    return letters.length > 1 ? [...known, ...soundsOfForm(letters)] : known;
  }

  function soundsOfForm(form: SpokenForm): readonly string[] {
    let sounds: readonly string[] = [''];
    for (const word of form) {
      const next = soundsOfWord(word);
      sounds = sounds
        .flatMap(before => next.map(phones => (before ? `${before} ${phones}` : phones)))
        .slice(0, form.length > 1 ? MAX_PER_FORM : MAX_PRONUNCIATIONS);
    }
    return sounds.filter(phones => phones !== '');
  }

  return written => {
    const whole = written.toLowerCase().replace(/[‘’ʼ]/g, "'");
    const plain = whole.replace(AROUND, '');
    const known = dictionary.get(whole) ?? dictionary.get(plain) ?? [];
    // In the original case: capitals mark initials.
    const forms = spokenForms(written.replace(AROUND, ''));
    const mayBeInitials = forms.some(form => form.some(({ initials }) => initials));
    const sounds = known.length > 0 && !mayBeInitials ? known : [...known, ...forms.flatMap(soundsOfForm)];
    return [...new Set(sounds)]
      .filter(phones => phones.split(' ').length <= MAX_PHONES)
      .slice(0, MAX_PRONUNCIATIONS);
  };
}

/** A word of a text with known pronunciations. */
export interface SayableWord {
  /** Index of the word in the text. */
  readonly number: number;
  readonly pronunciations: readonly string[];
  /** Number of phones of the shortest pronunciation. */
  readonly phones: number;
}

/** Limit of the length of a word: to guess its pronunciation takes time with the square of its length. */
const MAX_CHARACTERS = 100;

/** Returns the words of a text that have a pronunciation. */
export function sayableWords(text: readonly string[], soundsOf: WordSounds): readonly SayableWord[] {
  const isShouted = 2 * text.filter(isInCapitals).length > text.length;
  return text.flatMap((written, number) => {
    if (written.length > MAX_CHARACTERS) return [];
    // In a text that is mostly capitals, capitals do not mark initials.
    const pronunciations = soundsOf(isShouted ? written.toLowerCase() : written);
    if (pronunciations.length === 0) return [];
    return [{ number, pronunciations, phones: Math.min(...pronunciations.map(countPhones)) }];
  });
}

function isInCapitals(word: string): boolean {
  return /[A-Z]/.test(word) && !/[a-z]/.test(word);
}

function countPhones(pronunciation: string): number {
  return pronunciation.split(' ').length;
}
