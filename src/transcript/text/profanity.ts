import { DataSet, englishDataset, englishRecommendedTransformers, pattern, RegExpMatcher } from 'obscenity';
import words from './profanity.json' with { type: 'json' };

/** Entries of the data set that are clinical or sexual terms, have a common harmless sense, or match too much. */
const LEFT_OUT: ReadonlySet<string | undefined> = new Set(words.leftOut);
/** Profane words without another sense that the data set lacks. */
const ADDED: ReadonlySet<string> = new Set(words.added);
/** Words that are harmless alone, but not within other words such as "wanker". */
const HARMLESS_ALONE: ReadonlySet<string> = new Set(words.harmlessAlone);

let matcher: RegExpMatcher | undefined;

function createMatcher(): RegExpMatcher {
  const dataSet = new DataSet<{ originalWord: string }>()
    .addAll(englishDataset)
    .removePhrasesIf(phrase => LEFT_OUT.has(phrase.metadata?.originalWord))
    .addPhrase(phrase => phrase.addPattern(pattern`fuck`).addPattern(pattern`dickhead`))
    .addPhrase(phrase => phrase.addPattern(pattern`|fag|`).addPattern(pattern`|fags|`))
    .addPhrase(phrase => phrase.addPattern(pattern`|fagg[g]ot`).addPattern(pattern`|kike|`))
    // Found by matching a dictionary of 126,000 words and some other words.
    .addPhrase(phrase => words.harmless.reduce((all, word) => all.addWhitelistedTerm(word), phrase));
  return new RegExpMatcher({ ...dataSet.build(), ...englishRecommendedTransformers });
}

/**
 * Returns a word for display: in a profane one, all letters but the first and last become `*`.
 *
 * English only. The words are those of the `obscenity` package, without clinical and sexual terms.
 *
 * @example
 * maskProfanity('bullshit'); // 'b******t'
 */
export function maskProfanity(word: string): string {
  const stem = word.toLowerCase().replace(/['’]s?$/, '');
  // Created with the first word: it takes some 30 ms, which most programs never need.
  matcher ??= createMatcher();
  const isProfane = ADDED.has(stem) || (matcher.hasMatch(word) && !HARMLESS_ALONE.has(stem));
  if (!isProfane) return word;
  const letters = [...word.matchAll(/\p{L}/gu)];
  const last = letters.at(-1)?.index;
  return word.replaceAll(/\p{L}/gu, (letter, at: number) =>
    at === letters[0]?.index || at === last ? letter : '*',
  );
}
