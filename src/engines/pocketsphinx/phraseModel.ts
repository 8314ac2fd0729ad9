/** What a language model believes. */
export interface BaseModel {
  /** Of a word, also after another; 0 for words that it lacks. */
  probability(word: string, previous?: string): number;
}

/** The least vocabulary that the share of a phrase is reckoned for: of few phrases each is not favoured without bounds. */
const LEAST_PHRASES = 1000;
/** How often phrases are expected at any place, all together: a little, since most of what is said is no phrase. */
const PHRASES_SHARE = 0.1;
/** A word is never certain. */
const MOST = 0.95;

/**
 * A language model of phrases alone, in the ARPA format, to be added to a base model.
 *
 * A phrase begins anywhere with the same small probability. Within it, the next word is as likely as the words so far
 * are to be those of the phrase and not of common speech: after "queen" follows "of clubs", after "the" nothing much.
 *
 * @param phrases of words with a space between; a phrase given twice counts twice
 */
export function phraseModel(phrases: readonly string[], base: BaseModel): string {
  const counts: [Map<string, number>, Map<string, number>, Map<string, number>] = [
    new Map(),
    new Map(),
    new Map(),
  ];
  const starts = new Map<string, number>();
  for (const phrase of phrases) {
    const words = phrase.split(' ');
    add(starts, words[0]!);
    for (const [at] of words.entries()) {
      for (const [length, ngrams] of counts.entries()) {
        if (at >= length) add(ngrams, words.slice(at - length, at + 1).join(' '));
      }
    }
  }
  const share = PHRASES_SHARE / (phrases.length + LEAST_PHRASES);
  const [words, pairs, triples] = counts;
  // Words within a phrase are favoured alone, too: of a name often a part is said.
  const first = lines(words, word => share * (starts.get(word) ?? 1));
  const second = lines(pairs, (pair, count) => {
    const [word] = pair.split(' ') as [string];
    return (share * count) / (share * words.get(word)! + base.probability(word));
  });
  const third = lines(triples, (triple, count) => {
    const [one, two] = triple.split(' ') as [string, string];
    const common = base.probability(one) * base.probability(two, one);
    return (share * count) / (share * pairs.get(`${one} ${two}`)! + common);
  });
  return arpa([first, second, third]);
}

function add(counts: Map<string, number>, key: string): void {
  counts.set(key, (counts.get(key) ?? 0) + 1);
}

function lines(
  counts: ReadonlyMap<string, number>,
  probability: (key: string, count: number) => number,
): readonly string[] {
  return [...counts].map(([key, count]) => {
    return `${Math.log10(Math.min(MOST, probability(key, count))).toFixed(4)} ${key}`;
  });
}

/** The file format: counts first, then a section for each length; backing off costs nothing. */
function arpa(sections: readonly (readonly string[])[]): string {
  const used = sections.slice(0, sections.findLastIndex(section => section.length > 0) + 1);
  const counts = used.map((section, index) => `ngram ${index + 1}=${section.length}`);
  const texts = used.map((section, index) => {
    const ending = index + 1 < used.length ? ' 0\n' : '\n';
    return `\\${index + 1}-grams:\n${section.map(line => line + ending).join('')}`;
  });
  return `\\data\\\n${counts.join('\n')}\n\n${texts.join('\n')}\n\\end\\\n`;
}
