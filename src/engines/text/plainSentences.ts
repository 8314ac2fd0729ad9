import type { SpokenUtterance, WrittenWord } from '../punctuator.ts';

/** English words that are written with a capital wherever they stand; "may" and "march" are too often verbs. */
const ALWAYS_CAPITAL: ReadonlySet<string> = new Set([
  ...['i', 'monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday', 'sunday'],
  ...['january', 'february', 'april', 'july', 'september', 'october', 'november', 'december'],
]);

const QUESTION_WORDS: ReadonlySet<string> = new Set(['what', 'where', 'when', 'why', 'how', 'who']);
/** Inverted with a pronoun these ask; "had", "were" and "should" also make conditions. */
const QUESTION_VERBS: ReadonlySet<string> = new Set([
  ...['do', 'does', 'did', 'is', 'are', 'was', 'can', 'could', 'will', 'would', 'have', 'has'],
]);
const PRONOUNS: ReadonlySet<string> = new Set(['i', 'you', 'he', 'she', 'it', 'we', 'they']);

/**
 * A sentence an utterance, with its capitals and its end mark: what can be done without a model.
 *
 * Of languages other than English only the first word gets a capital, and a full stop stands at the end; where the
 * script knows no capitals, words are left as they are.
 */
export function plainSentence(
  { words, before = [], after, goesOn = false }: SpokenUtterance,
  language = 'en',
): readonly WrittenWord[] {
  const isEnglish = language === 'en';
  const values = words.map(({ value }) => value);
  const isCased = values.some(value => value.toLowerCase() !== value.toUpperCase());
  const ends = isCased && (!goesOn || after?.length === 0);
  const endMark = isEnglish ? endMarkOf([...before, ...values]) : '.';
  return values.map((value, index) => {
    const opens = index === 0 && before.length === 0;
    return {
      value: isEnglish ? capitalize(value, opens) : opens ? withCapital(value) : value,
      mark: ends && index === values.length - 1 ? endMark : '',
    };
  });
}

/** A lower-case English word with the capitals it is written with. */
function capitalize(word: string, opensSentence: boolean): string {
  const stem = word.split("'", 1)[0] ?? '';
  return opensSentence || ALWAYS_CAPITAL.has(stem) ? withCapital(word) : word;
}

/** A word with its first letter large. */
export function withCapital(word: string): string {
  return word.replace(/\p{L}/u, letter => letter.toUpperCase());
}

/**
 * The mark that ends a sentence of lower-case English words.
 *
 * A question mark only where verb and pronoun are inverted at the opening ("do you …", "what is it …"): other
 * questions look like statements.
 */
export function endMarkOf(words: readonly string[]): '.' | '?' {
  const [verb, pronoun] = QUESTION_WORDS.has(words[0] ?? '') ? words.slice(1) : words;
  return QUESTION_VERBS.has(verb ?? '') && PRONOUNS.has(pronoun ?? '') ? '?' : '.';
}
