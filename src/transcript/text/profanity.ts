import { DataSet, englishDataset, englishRecommendedTransformers, pattern, RegExpMatcher } from 'obscenity';

/**
 * Entries of the data set that are clinical or sexual terms, have a common harmless sense, or match too much.
 */
const LEFT_OUT: ReadonlySet<string | undefined> = new Set([
  ...['anal', 'anus', 'bestiality', 'double penetration', 'ejaculate', 'fellatio', 'fisting', 'hentai'],
  ...['hooker', 'incest', 'masturbate', 'orgasm', 'orgy', 'penis', 'porn', 'rape', 'scat', 'semen'],
  ...['sex', 'spastic', 'vagina', 'dick', 'dyke', 'cum', 'fuck', 'fag', 'kike'],
]);

/** Harmless words that match: found by matching a dictionary of 126,000 words, and some others. */
const HARMLESS = [
  ...['assor', 'assyr', 'assel', 'babich', 'habich', 'bebitch', 'booby', 'shiite', 'shiitake'],
  ...['shitila', 'shitzu', 'mishit', 'mashit', 'marchinko', 'pachinko', 'schinke', 'cockpit', 'cocke'],
  ...['half-cock', 'delnegro', 'negropalpus', 'niggard', 'pussycat', 'pussyfoot', 'pussywillow'],
  ...['retardant', 'retarder', 'retardation', 'retarding', 'slutsk', 'slutz', 'wanko', 'pissarro'],
  ...['twatt', 'tit-for-tat'],
];

/** Profane words without another sense that the data set lacks. */
const ADDED: ReadonlySet<string> = new Set([
  ...['jackass', 'jackasses', 'dumbass', 'dumbasses', 'badass', 'lardass', 'bullshitter'],
  ...['bullshitters', 'bullshitting', 'bullshitted', 'shat', 'pussies', 'whored', 'whoring', 'cumshot'],
  ...['jizz', 'poontang', 'dickwad', 'cockhead', 'douchebag', 'douchebags', 'tosser', 'tossers'],
  ...['bellend', 'bellends', 'knobhead', 'gook', 'gooks', 'spic', 'spics', 'wetback', 'wetbacks'],
  ...['raghead', 'ragheads', 'towelhead', 'beaner', 'towelheads', 'beaners', 'paki', 'pakis'],
  ...['fudgepacker', 'jerkoff', 'kikes'],
]);
/** Words that are harmless alone, but not within other words such as "wanker". */
const HARMLESS_ALONE: ReadonlySet<string> = new Set(['abo', 'bastardo', 'wanke', 'wankel']);

let matcher: RegExpMatcher | undefined;

function createMatcher(): RegExpMatcher {
  const words = new DataSet<{ originalWord: string }>()
    .addAll(englishDataset)
    .removePhrasesIf(phrase => LEFT_OUT.has(phrase.metadata?.originalWord))
    .addPhrase(phrase => phrase.addPattern(pattern`fuck`).addPattern(pattern`dickhead`))
    .addPhrase(phrase => phrase.addPattern(pattern`|fag|`).addPattern(pattern`|fags|`))
    .addPhrase(phrase => phrase.addPattern(pattern`|fagg[g]ot`).addPattern(pattern`|kike|`))
    .addPhrase(phrase => HARMLESS.reduce((all, word) => all.addWhitelistedTerm(word), phrase));
  return new RegExpMatcher({ ...words.build(), ...englishRecommendedTransformers });
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
