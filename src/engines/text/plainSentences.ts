import { withCapital } from '../../transcript/text/words.ts';
import type { SpokenUtterance, WrittenWord } from '../punctuator.ts';

/** English words that always have a capital. "may" and "march" are too often verbs. */
const ALWAYS_CAPITAL: ReadonlySet<string> = new Set([
  ...['i', 'monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday', 'sunday'],
  ...['january', 'february', 'april', 'july', 'september', 'october', 'november', 'december'],
]);

const QUESTION_WORDS: ReadonlySet<string> = new Set(['what', 'where', 'when', 'why', 'how', 'who']);
/** Verbs that ask when inverted with a pronoun. "had", "were" and "should" also form conditions. */
const QUESTION_VERBS: ReadonlySet<string> = new Set([
  ...['do', 'does', 'did', 'is', 'are', 'was', 'can', 'could', 'will', 'would', 'have', 'has'],
]);
const PRONOUNS: ReadonlySet<string> = new Set(['i', 'you', 'he', 'she', 'it', 'we', 'they']);

/**
 * Writes an utterance as a sentence with capitals and an end mark, without a model.
 *
 * In other languages than English, only the first word gets a capital, and a full stop ends the sentence. In
 * scripts without capitals, words stay as they are.
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

/** Returns a lower-case English word with its capitals. */
function capitalize(word: string, opensSentence: boolean): string {
  const stem = word.split("'", 1)[0] ?? '';
  return opensSentence || ALWAYS_CAPITAL.has(stem) ? withCapital(word) : word;
}

/**
 * Returns the mark that ends a sentence of lower-case English words.
 *
 * A question mark only for an inverted verb and pronoun at the start ("do you …", "what is it …"): other
 * questions look like statements.
 */
export function endMarkOf(words: readonly string[]): '.' | '?' {
  const [verb, pronoun] = QUESTION_WORDS.has(words[0] ?? '') ? words.slice(1) : words;
  return QUESTION_VERBS.has(verb ?? '') && PRONOUNS.has(pronoun ?? '') ? '?' : '.';
}
