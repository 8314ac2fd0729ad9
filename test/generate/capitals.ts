import type { MarkedWord } from '../helpers/markedWords.ts';
import ambiguousCapitals from './ambiguousCapitals.json' with { type: 'json' };

/** Rarer words are passed over: whoever writes them once may be shouting. */
const MIN_COUNT = 4;
/** Share of a pair's occurrences within a sentence. */
const MIN_PAIR_SHARE = 0.8;
/**
 * Words that these texts write with capitals more often than others do, or that also mean something else: only as parts of
 * pairs, "Wall Street", and not of one another, "Federal Government".
 */
const AMBIGUOUS: ReadonlySet<string> = new Set(ambiguousCapitals);

/**
 * Words that are nearly always written with capitals within a sentence, and pairs of words that are where their words
 * alone are not: "America", "United States".
 *
 * @param sources texts of one kind each; what one of them writes small is no name
 */
export function findCapitals(sources: readonly (readonly MarkedWord[])[]): readonly string[] {
  const words = new Map<string, Map<string, number>>();
  const pairs = new Map<string, Map<string, number>>();
  const isSmall = new Set<string>();
  for (const source of sources) {
    const own = new Map<string, Map<string, number>>();
    for (const [index, { value, written }] of source.entries()) {
      const before = source[index - 1];
      if (!before || /[.?!]/.test(before.mark)) continue;
      for (const table of [words, own]) count(table, value, written);
      const opens = /[.?!]/.test(source[index - 2]?.mark ?? '.');
      if (before.mark === '' && !opens)
        count(pairs, `${before.value} ${value}`, `${before.written} ${written}`);
    }
    for (const [value, ways] of own) if (!isMostly(ways, written => written !== value)) isSmall.add(value);
  }
  const isName = (written: string) =>
    !isSmall.has(written.toLowerCase()) && !AMBIGUOUS.has(written.toLowerCase());
  const alone = [...words].flatMap(([value, ways]) => usualWay(value, ways, 0.5)).filter(isName);
  const known = new Set(alone.map(written => written.toLowerCase()));
  const together = [...pairs]
    .flatMap(([value, ways]) => usualWay(value, ways, MIN_PAIR_SHARE))
    .filter(pair => pair.split(' ').every(written => written !== written.toLowerCase()))
    .filter(pair => pair.split(' ').some(written => !known.has(written.toLowerCase())))
    .filter(pair => pair.split(' ').some(written => !AMBIGUOUS.has(written.toLowerCase())));
  const named = namesOfPlaces().filter(name => isName(name) && !words.has(name.toLowerCase()));
  return [...new Set([...alone, ...together, ...named])].sort();
}

function isMostly(ways: ReadonlyMap<string, number>, is: (written: string) => boolean): boolean {
  let [right, all] = [0, 0];
  for (const [written, times] of ways) {
    all += times;
    if (is(written)) right += times;
  }
  return right > all / 2;
}

function count(table: Map<string, Map<string, number>>, value: string, written: string): void {
  const ways = table.get(value) ?? new Map<string, number>();
  table.set(value, ways.set(written, (ways.get(written) ?? 0) + 1));
}

/** Share of occurrences above which a spelling with capitals is taken. */
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
    .filter(name => name !== undefined && /^[A-Z][a-z]{3,}$/.test(name)) as string[];
}
