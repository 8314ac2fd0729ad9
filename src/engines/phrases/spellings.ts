import type { RecognizedWord } from '../recognizer.ts';
import { joinedWords } from '../timedWords.ts';
import { type PhraseToken, readPhrase } from './readPhrase.ts';

/** A recognised word, or several that are written as one. */
export interface SpelledWord extends RecognizedWord {
  /** Spelling by a phrase; absent without one. */
  readonly spelling?: string;
}

/** Spellings of recognised phrases. */
export type Spellings = ReturnType<typeof createSpellings>;

/** Words too common to be meant as a phrase: "it" is not written "IT", though "i t" is. */
const COMMON_WORDS: ReadonlySet<string> = new Set([
  ...['a', 'all', 'am', 'an', 'and', 'are', 'as', 'at', 'be', 'but', 'by', 'can', 'do', 'for', 'from', 'go'],
  ...['had', 'has', 'have', 'he', 'her', 'him', 'his', 'how', 'i', 'if', 'in', 'is', 'it', 'may', 'me', 'my'],
  ...['no', 'not', 'of', 'on', 'one', 'or', 'our', 'out', 'she', 'so', 'that', 'the', 'them', 'they', 'this'],
  ...['to', 'up', 'us', 'was', 'we', 'what', 'when', 'who', 'will', 'with', 'would', 'you'],
]);
/** Phrases of letters and spaces without inner capitals, which are spoken as written. */
const PLAIN = /^[A-Z]?[a-z]+(?: [A-Z]?[a-z]+)*$/;
/** Limit of the ways to say a phrase: one with many initials has more. */
const MAX_WAYS = 16;

/**
 * Creates the spellings of phrases, which replace the plain words of a recogniser.
 *
 * @example
 * createSpellings(['C++ 17']).apply(words); // "c", "plus", "plus", "seventeen" become "C++", "17"
 */
export function createSpellings(phrases: readonly string[]) {
  /** Phrases by their spoken atoms. Nothing else is kept of them, since there may be many. */
  const phraseOf = new Map<string, string>();
  let longest = 0;
  for (const phrase of phrases) {
    for (const key of keysOf(phrase)) {
      if (key === '' || phraseOf.has(key) || COMMON_WORDS.has(key)) continue;
      phraseOf.set(key, phrase);
      longest = Math.max(longest, key.split(' ').length);
    }
  }
  return {
    /**
     * Returns the words in order, with phrases as written. The longest phrase applies, then the first given.
     */
    apply(words: readonly RecognizedWord[]) {
      const spelled: SpelledWord[] = [];
      for (let at = 0; at < words.length; ) {
        const found = phraseOf.size > 0 ? longestAt(words.slice(at, at + longest), phraseOf) : undefined;
        spelled.push(...(found?.spelled ?? [words[at]!]));
        at += found?.count ?? 1;
      }
      return spelled;
    },
  };
}

/** Returns the longest phrase at the start of the words, and the number of its words. */
function longestAt(
  words: readonly RecognizedWord[],
  phraseOf: ReadonlyMap<string, string>,
): { readonly spelled: readonly SpelledWord[]; readonly count: number } | undefined {
  for (let count = words.length; count > 0; count--) {
    const heard = words.slice(0, count);
    const key = heard.flatMap(atomsOf).join(' ');
    for (const ending of key.endsWith("'s") ? ['', "'s"] : ['']) {
      const said = key.slice(0, key.length - ending.length);
      const phrase = phraseOf.get(said);
      if (phrase !== undefined) return { spelled: spell(heard, phrase, said.split(' '), ending), count };
    }
  }
  return undefined;
}

/** Matches words with the tokens of a phrase, one by one as far as their ends coincide. */
function spell(
  words: readonly RecognizedWord[],
  phrase: string,
  said: readonly string[],
  ending: string,
): readonly SpelledWord[] {
  const tokens = tokensOf(phrase);
  const tokenEnds = endsOf(lengthsIn(said, tokens) ?? []);
  const spelled: SpelledWord[] = [];
  let [word, token] = [0, 0];
  for (const [index, end] of endsOf(words.map(word => atomsOf(word).length)).entries()) {
    const last = tokenEnds.indexOf(end);
    if (last < 0) continue;
    const spelling = tokens.slice(token, last + 1).map(({ text }) => text);
    const [first, ...rest] = words.slice(word, index + 1);
    if (first) spelled.push({ ...joinedWords(first, rest), spelling: spelling.join(' ') });
    [word, token] = [index + 1, last + 1];
  }
  const last = spelled.pop();
  return last ? [...spelled, { ...last, spelling: `${last.spelling}${ending}` }] : words;
}

/** Returns the number of atoms of each token; undefined when the atoms do not match. */
function lengthsIn(atoms: readonly string[], tokens: readonly PhraseToken[]): readonly number[] | undefined {
  const [token, ...rest] = tokens;
  if (!token) return atoms.length === 0 ? [] : undefined;
  for (const way of waysOf(token)) {
    if (way.some((atom, index) => atom !== atoms[index])) continue;
    const lengths = lengthsIn(atoms.slice(way.length), rest);
    if (lengths) return [way.length, ...lengths];
  }
  return undefined;
}

function endsOf(lengths: readonly number[]): readonly number[] {
  let end = 0;
  return lengths.map(length => {
    end += length;
    return end;
  });
}

/** Returns the spoken atoms of a word, however an engine writes it: "e-mail", "u.s.", "mp3". */
function atomsOf({ value }: Pick<RecognizedWord, 'value'>): readonly string[] {
  if (/^[a-z]+$/.test(value)) return [value];
  const atoms = tokensOf(value).flatMap(({ words }) => words.map(word => word.value));
  return atoms.length > 0 ? atoms : [value];
}

function* keysOf(phrase: string): Generator<string> {
  if (PLAIN.test(phrase)) return yield phrase.toLowerCase();
  let keys: readonly string[] = [''];
  for (const token of tokensOf(phrase)) {
    const ways = waysOf(token).map(way => way.join(' '));
    keys = keys.flatMap(key => ways.map(way => (key ? `${key} ${way}` : way))).slice(0, MAX_WAYS);
  }
  yield* keys;
}

function tokensOf(phrase: string): readonly PhraseToken[] {
  const read = readPhrase(phrase);
  return 'tokens' in read ? read.tokens : [];
}

/** Returns the ways to say a token, as atoms: initials also letter by letter, compounds also as one word. */
function waysOf({ words, whole }: PhraseToken): readonly (readonly string[])[] {
  const inOne = whole && !/[-.]/.test(whole) ? [[whole]] : [];
  let ways: readonly (readonly string[])[] = [[]];
  for (const { value, initials } of words) {
    const heard = initials ? [[value], [...value]] : [[value]];
    ways = ways.flatMap(way => heard.map(atoms => [...way, ...atoms])).slice(0, MAX_WAYS);
  }
  return [...inOne, ...ways];
}
