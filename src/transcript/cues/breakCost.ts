import breakWords from './breakWords.json' with { type: 'json' };

/** Costs of ending a line or a cue between two words, by what the break separates; lower is better. */
export const BREAK_COST = {
  sentence: 0,
  clause: 1,
  conjunction: 2,
  preposition: 3,
  plain: 5,
  /** Words that belong together: article and noun, first and last name, auxiliary and verb, number and unit. */
  together: 24,
} as const;

/** The words of one language that decide where lines break, in lower case. */
interface BreakWords {
  /** Good words to start a line with. */
  readonly conjunctions: ReadonlySet<string>;
  /** Good words to start a line with. */
  readonly prepositions: ReadonlySet<string>;
  /** Words that should not end a line: articles, possessives, auxiliaries, pronouns. */
  readonly leading: ReadonlySet<string>;
  /** Words whose full stop does not end a sentence. */
  readonly abbreviations: ReadonlySet<string>;
}

const setOf = (words?: string): ReadonlySet<string> => new Set(words?.split(' '));

const breakWordsOf = (words: Partial<Record<keyof BreakWords, string>>): BreakWords => ({
  conjunctions: setOf(words.conjunctions),
  prepositions: setOf(words.prepositions),
  leading: setOf(words.leading),
  abbreviations: setOf(words.abbreviations),
});

/** Words by language. In other languages, breaks depend on punctuation, numbers and capitals only. */
const LANGUAGES: Readonly<Record<string, BreakWords>> = { en: breakWordsOf(breakWords.en) };
const NO_WORDS = breakWordsOf({});

const wordsOf = (language: string) => LANGUAGES[language.slice(0, 2).toLowerCase()] ?? NO_WORDS;

/** Returns whether a word in lower case is an article, an auxiliary, a conjunction or the like; false for a negation. */
export function isFunctionWord(word: string, language: string): boolean {
  const { conjunctions, prepositions, leading } = wordsOf(language);
  return (
    [conjunctions, prepositions, leading].some(words => words.has(word)) &&
    !/n't$|^n(?:o|ot|ever|or)$/.test(word)
  );
}

/**
 * Returns the cost of a break between two neighbouring tokens.
 *
 * @param language ISO 639-1 code, optionally with a region
 */
export function breakCost(left: string, right: string, language: string): number {
  const { conjunctions, prepositions, leading, abbreviations } = wordsOf(language);
  if (endsSentence(left, abbreviations)) return BREAK_COST.sentence;
  if (/[,;:\u2013\u2014\u3001\uFF0C]["'\u201D\u2019)\]]*$|^--$/u.test(left)) return BREAK_COST.clause;
  if (abbreviations.has(left.toLowerCase())) return BREAK_COST.together;
  const before = bare(left);
  const after = bare(right);
  if (leading.has(before) || prepositions.has(before) || conjunctions.has(before)) return BREAK_COST.together;
  if (/^\p{Sc}?[\d.,]*\d$/u.test(left) && !conjunctions.has(after)) return BREAK_COST.together;
  if (/^\p{Lu}/u.test(left) && /^\p{Lu}/u.test(right)) return BREAK_COST.together;
  if (conjunctions.has(after)) return BREAK_COST.conjunction;
  if (prepositions.has(after)) return BREAK_COST.preposition;
  return BREAK_COST.plain;
}

/** Returns whether a token ends a sentence; abbreviations and initials ("e.g.", "J.") do not. */
function endsSentence(token: string, abbreviations: ReadonlySet<string>): boolean {
  if (!/[.?!\u2026\u3002\uFF01\uFF1F]["'\u201D\u2019)\]]*$/u.test(token)) return false;
  return !abbreviations.has(token.toLowerCase()) && !/^(?:\p{L}\.)+$/u.test(token);
}

const bare = (token: string) =>
  token
    .toLowerCase()
    .replaceAll('\u2019', "'")
    .replace(/^[^\p{L}]+|[^\p{L}]+$/gu, '');
