import { type PhraseToken, readPhrase, type SpokenWord } from '../phrases/readPhrase.ts';
import type { Dictionary } from '../pronunciation/dictionary.ts';
import { createPronouncer } from '../pronunciation/pronouncer.ts';
import type { PhraseFault } from '../recognizer.ts';

/** What a decoder has to know of phrases. Texts and not lists, since these go from thread to thread at no cost. */
export interface PhraseVocabulary {
  /** Words that the dictionary lacks, in its format: a pronunciation a line, `word(2)` for the second one. */
  readonly words: string;
  /** What may be said, a line each: words of the dictionary or of these. */
  readonly phrases: string;
}

export interface PhraseFindings {
  /** Of the phrases that can be used. */
  readonly vocabulary: PhraseVocabulary;
  readonly faults: readonly PhraseFault[];
}

/** Looks phrases over; `pause` is awaited now and then, so that others have their turn. */
export type FindVocabulary = (
  phrases: readonly string[],
  pause: () => Promise<unknown>,
) => Promise<PhraseFindings>;

/** Ways to say something, each as words of the dictionary or new ones. */
type Ways = readonly (readonly string[])[];

/** Words that the dictionary lacks, with their pronunciations. */
type NewWords = Map<string, readonly string[]>;

/** Of one phrase; a phrase of many initials has more. */
const MAX_WAYS = 4;
/** With a word to pronounce in each, some 10 ms of work. */
const PHRASES_A_TURN = 10;

/** Finds out what phrases mean for a decoder with this dictionary. */
export function createVocabularyFinder(dictionary: Dictionary): FindVocabulary {
  const pronouncer = createPronouncer(dictionary);

  function waysOfPhrase(phrase: string, newWords: NewWords): Ways | string {
    const read = readPhrase(phrase);
    if ('reason' in read) return read.reason;
    let ways: Ways = [[]];
    for (const token of read.tokens) {
      const next = waysOfToken(token, newWords);
      if (typeof next === 'string') return next;
      ways = combined(ways, next);
    }
    return ways;
  }

  function waysOfToken({ words, whole }: PhraseToken, newWords: NewWords): Ways | string {
    const inOne = whole !== undefined && dictionary.has(whole) ? [[whole]] : [];
    let ways: Ways = [[]];
    for (const word of words) {
      const next = waysOfWord(word, newWords);
      if (next.length > 0) ways = combined(ways, next);
      else return inOne.length > 0 ? inOne : `no pronunciation is known for "${word.value}"`;
    }
    return [...inOne, ...ways];
  }

  function waysOfWord({ value, initials }: SpokenWord, newWords: NewWords): Ways {
    if (dictionary.has(value)) {
      // "IT" is perhaps "it", which the dictionary has, and perhaps two letters.
      const letters = initials ? [...value].map(letterEntry) : [];
      return letters.length > 0 && letters.every(entry => dictionary.has(entry))
        ? [[value], letters]
        : [[value]];
    }
    if (dictionary.has(letterEntry(value))) return [[letterEntry(value)]];
    const pronunciations = pronouncer.pronounce(value, initials);
    if (pronunciations.length === 0) return [];
    newWords.set(value, pronunciations);
    return [[value]];
  }

  /** A letter as such: "a" is first of all the article. */
  function letterEntry(letter: string): string {
    return dictionary.has(`${letter}.`) ? `${letter}.` : letter;
  }

  return async (phrases, pause) => {
    const newWords: NewWords = new Map();
    const said: string[] = [];
    const faults: PhraseFault[] = [];
    for (const [index, phrase] of phrases.entries()) {
      if (index % PHRASES_A_TURN === 0) await pause();
      const ways = waysOfPhrase(phrase, newWords);
      if (typeof ways === 'string') faults.push({ phrase, reason: ways });
      else said.push(...ways.map(way => way.join(' ')));
    }
    return { vocabulary: { words: dictionaryLines(newWords), phrases: said.join('\n') }, faults };
  };
}

/** Each of one followed by each of the other. */
function combined(one: Ways, other: Ways): Ways {
  return one.flatMap(first => other.map(second => [...first, ...second])).slice(0, MAX_WAYS);
}

function dictionaryLines(words: NewWords): string {
  return [...words]
    .flatMap(([word, pronunciations]) =>
      pronunciations.map((phones, index) => `${word}${index > 0 ? `(${index + 1})` : ''} ${phones}`),
    )
    .join('\n');
}
