import type { MarkedWord } from '../helpers/markedWords.ts';

/** Rarer words are passed over: whoever writes them once may be shouting. */
const MIN_COUNT = 4;
/** Of the times that a pair stands within a sentence. */
const MIN_PAIR_SHARE = 0.8;
/** Countries and languages that are also common nouns, verbs or adjectives. */
const AMBIGUOUS = new Set([
  'turkey',
  'chad',
  'guinea',
  'jersey',
  'polish',
  'china',
  'mali',
  'niger',
  'man',
  'ga',
]);

/**
 * Words that are nearly always written with capitals within a sentence, and pairs of words that are where their words
 * alone are not: "America", "United States".
 */
export function findCapitals(texts: readonly (readonly MarkedWord[])[]): readonly string[] {
  const words = new Map<string, Map<string, number>>();
  const pairs = new Map<string, Map<string, number>>();
  for (const text of texts) {
    for (const [index, { value, written }] of text.entries()) {
      const before = text[index - 1];
      if (!before || /[.?!]/.test(before.mark)) continue;
      count(words, value, written);
      const opens = /[.?!]/.test(text[index - 2]?.mark ?? '.');
      if (before.mark === '' && !opens)
        count(pairs, `${before.value} ${value}`, `${before.written} ${written}`);
    }
  }
  const alone = [...words].flatMap(([value, ways]) => usualWay(value, ways, 0.5));
  const known = new Set(alone.map(written => written.toLowerCase()));
  const together = [...pairs]
    .flatMap(([value, ways]) => usualWay(value, ways, MIN_PAIR_SHARE))
    .filter(pair => pair.split(' ').every(written => written !== written.toLowerCase()))
    .filter(pair => pair.split(' ').some(written => !known.has(written.toLowerCase())));
  const named = namesOfPlaces().filter(
    name => !known.has(name.toLowerCase()) && !words.has(name.toLowerCase()),
  );
  return [...new Set([...alone, ...together, ...named])].sort();
}

function count(table: Map<string, Map<string, number>>, value: string, written: string): void {
  const ways = table.get(value) ?? new Map<string, number>();
  table.set(value, ways.set(written, (ways.get(written) ?? 0) + 1));
}

/** How it is written more often than this share, where that has capitals. */
function usualWay(value: string, ways: ReadonlyMap<string, number>, share: number): readonly string[] {
  const all = [...ways.values()].reduce((sum, times) => sum + times, 0);
  const [written, times] = [...ways].reduce((one, other) => (other[1] > one[1] ? other : one));
  return all >= MIN_COUNT && times > all * share && written !== value ? [written] : [];
}

/** Countries and languages by one word, as Unicode has them. */
function namesOfPlaces(): readonly string[] {
  const letters = [...'abcdefghijklmnopqrstuvwxyz'];
  const codes = letters.flatMap(first => letters.map(second => first + second));
  const regions = new Intl.DisplayNames('en', { type: 'region', fallback: 'none' });
  const languages = new Intl.DisplayNames('en', { type: 'language', fallback: 'none' });
  return codes
    .flatMap(code => [regions.of(code.toUpperCase()), languages.of(code)])
    .filter(
      name => name !== undefined && /^[A-Z][a-z]{3,}$/.test(name) && !AMBIGUOUS.has(name.toLowerCase()),
    ) as string[];
}
