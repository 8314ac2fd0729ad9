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

const words = (text: string): ReadonlySet<string> => new Set(text.split(' '));

const ENGLISH: BreakWords = {
  conjunctions: words(
    'and but or nor so yet because although though while when where if unless until since that which who whom whose whether than',
  ),
  prepositions: words(
    'of in on at by for with from to into onto about over under above below after before between through during without within against among across along around behind beside beyond near off out toward towards upon as',
  ),
  leading: words(
    `a an the this these those my your his her its our their some any no every each \
am is are was were be been being have has had do does did will would shall should can could may might must \
isn't aren't wasn't weren't haven't hasn't hadn't don't doesn't didn't won't wouldn't shan't shouldn't can't couldn't \
mustn't not never i you he she it we they i'm i've i'll i'd you're you've you'll he's she's it's we're we've we'll they're they've very`,
  ),
  abbreviations: words(
    'mr. mrs. ms. dr. prof. st. jr. sr. vs. etc. no. gen. col. capt. lt. rev. hon. approx. fig.',
  ),
};

/** Word lists by language. In other languages, breaks depend on punctuation, numbers and capitals only. */
const LANGUAGES: Readonly<Record<string, BreakWords>> = { en: ENGLISH };
const NO_WORDS: BreakWords = {
  conjunctions: new Set(),
  prepositions: new Set(),
  leading: new Set(),
  abbreviations: new Set(),
};

/**
 * Returns the cost of a break between two neighbouring tokens.
 *
 * @param language ISO 639-1 code, optionally with a region
 */
export function breakCost(left: string, right: string, language: string): number {
  const { conjunctions, prepositions, leading, abbreviations } =
    LANGUAGES[language.slice(0, 2).toLowerCase()] ?? NO_WORDS;
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
