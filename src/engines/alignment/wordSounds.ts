import type { SpokenWord } from '../phrases/readPhrase.ts';
import type { Dictionary } from '../pronunciation/dictionary.ts';
import { createPronouncer } from '../pronunciation/pronouncer.ts';
import { type SpokenForm, spokenForms } from './spokenForms.ts';

/** Pronunciations of a written word, phones with spaces between; none when nobody knows how it is said. */
export type WordSounds = (written: string) => readonly string[];

/** Of a word; each costs time to search. */
const MAX_PRONUNCIATIONS = 10;
const MAX_PER_FORM = 4;
/** A word that takes longer to say is none, and would not end before the speech does. */
const MAX_PHONES = 80;
/** Letters of a text's different words that are in no dictionary: a guess takes some 0.07 ms for each. */
const MAX_GUESSED_LETTERS = 100_000;
/** Marks around a word; not the signs that are said. */
const AROUND = /^[^\p{L}\p{N}$€£&%]+|[^\p{L}\p{N}%&+]+$/gu;

/**
 * Finds out how words of one text sound: as the dictionary has them, as numbers, part by part, or by their letters. It
 * guesses at unknown words of 100,000 letters in all, which takes some 10 s; later ones have no sounds.
 */
export function createWordSounds(dictionary: Dictionary): WordSounds {
  const pronouncer = createPronouncer(dictionary);
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
    // "IT" is perhaps "it", and perhaps two letters: "a." where "a" is first of all the article.
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
    // As it was written: capitals tell initials.
    const forms = spokenForms(written.replace(AROUND, ''));
    const mayBeInitials = forms.some(form => form.some(({ initials }) => initials));
    const sounds = known.length > 0 && !mayBeInitials ? known : [...known, ...forms.flatMap(soundsOfForm)];
    return [...new Set(sounds)]
      .filter(phones => phones.split(' ').length <= MAX_PHONES)
      .slice(0, MAX_PRONUNCIATIONS);
  };
}

/** A word of a text of which it is known how it is said. */
export interface SayableWord {
  /** Its number in the text. */
  readonly number: number;
  readonly pronunciations: readonly string[];
  /** Of the shortest of them. */
  readonly phones: number;
}

/** Nobody says a longer one in one breath; to find out how would take time with the square of its length. */
const MAX_CHARACTERS = 100;

/** The words of a text that can be looked for. */
export function sayableWords(text: readonly string[], soundsOf: WordSounds): readonly SayableWord[] {
  const isShouted = 2 * text.filter(isInCapitals).length > text.length;
  return text.flatMap((written, number) => {
    if (written.length > MAX_CHARACTERS) return [];
    // Where all is in capitals they do not tell initials.
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
