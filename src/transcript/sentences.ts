/** A sentence without the white space around it. */
export interface Sentence {
  readonly text: string;
  /** Where it begins in the whole text, in UTF-16 code units. */
  readonly offset: number;
}

/** What ends with a full stop and is followed by a name, not by another sentence. */
const ABBREVIATIONS: ReadonlySet<string> = new Set([
  ...['mr', 'mrs', 'ms', 'messrs', 'mme', 'mlle', 'dr', 'prof', 'rev', 'hon', 'fr', 'st', 'ste', 'mt', 'ft'],
  ...['capt', 'cmdr', 'col', 'gen', 'lt', 'maj', 'sgt', 'adm', 'cpl', 'pvt', 'gov', 'sen', 'rep', 'pres'],
  ...['supt', 'insp', 'amb', 'atty', 'vs', 'e.g', 'i.e', 'cf', 'viz', 'fig', 'vol', 'approx', 'dept'],
]);

/** A capital alone is an initial; "I" may well end a sentence. */
const INITIAL = /^(?!I$)\p{Lu}$/u;

/**
 * The sentences of an English text, by the rules of Unicode (UAX #29) and some abbreviations. White space and what is
 * between sentences belongs to none.
 *
 * @example
 * [...sentencesOf('Mr. Bennet sighed. "So it is."')].length // 2
 */
export function* sentencesOf(text: string): Generator<Sentence> {
  let offset = 0;
  let open = '';
  for (const { segment, index } of new Intl.Segmenter('en', { granularity: 'sentence' }).segment(text)) {
    if (open === '') offset = index;
    open += segment;
    if (endsInAbbreviation(segment)) continue;
    yield* trimmed(open, offset);
    open = '';
  }
  yield* trimmed(open, offset);
}

/** A line that ends goes on with nothing. */
function endsInAbbreviation(segment: string): boolean {
  const last = /[\p{L}.]+(?=\.[^\S\n\r]*$)/u.exec(segment)?.[0];
  return last !== undefined && (ABBREVIATIONS.has(last.toLowerCase()) || INITIAL.test(last));
}

function* trimmed(text: string, offset: number): Generator<Sentence> {
  const start = text.trimStart();
  if (start !== '') yield { text: start.trimEnd(), offset: offset + text.length - start.length };
}
