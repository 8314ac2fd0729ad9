import { type EnglishWord, inPlaceOf, joinRuns } from './englishWord.ts';
import shortForms from './shortForms.json' with { type: 'json' };
import wordLists from './wordLists.json' with { type: 'json' };

/** Words after which 's is "is" or "has"; after others it is mostly a genitive. */
const WITH_IS: ReadonlySet<string> = new Set(wordLists.withIs);
/** Words after which "he's" and "he'd" are "he has" and "he had". */
const PERFECT: ReadonlySet<string> = new Set(wordLists.perfect);
const ENDINGS: Readonly<Record<string, string>> = wordLists.endings;

/** Longest short form; each ending of a longer text would be removed separately. */
const MAX_LENGTH = 32;

/** Replaces short forms by their words: "don't" is "do not", "gonna" is "going to", "Mr" is "mister". */
export function writeOut(words: readonly EnglishWord[]): readonly EnglishWord[] {
  const isPercent = (at: number) => words[at]?.word === 'per' && words[at + 1]?.word === 'cent';
  const joined = joinRuns(words, at => (isPercent(at) ? { text: 'percent', count: 2 } : undefined));
  return joined.flatMap((word, at) => {
    const whole = wholeWords(word.word, joined[at + 1]?.word);
    return whole ? inPlaceOf(word, whole) : [word];
  });
}

/** Returns the words of a short form; undefined for any other word. */
function wholeWords(word: string, next: string | undefined): readonly string[] | undefined {
  const known = SHORT_FORMS.get(word);
  if (known) return known;
  if (word.length > MAX_LENGTH) return undefined;
  const ending = /(?:n't|'(?:re|ll|ve|d|s))$/.exec(word)?.[0];
  if (ending === undefined || ending === word) return undefined;
  const stem = word.slice(0, -ending.length);
  if (ending === "'s" && !WITH_IS.has(stem)) return undefined;
  return [...(wholeWords(stem, undefined) ?? [stem]), endingOf(ending, next)];
}

function endingOf(ending: string, next: string | undefined): string {
  if (ending === "'s" && next !== 'better' && next !== 'done' && PERFECT.has(next ?? '')) return 'has';
  if (ending === "'d" && PERFECT.has(next ?? '')) return 'had';
  return ENDINGS[ending] ?? ending;
}

/** Words of each short form: irregular contractions, words that people say for two, and titles before names. */
export const SHORT_FORMS: ReadonlyMap<string, readonly string[]> = new Map(
  Object.entries(shortForms).map(([short, words]) => [short, words.split(' ')]),
);
