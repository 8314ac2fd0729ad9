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

/** What is looked at of the end of a sentence: more than the longest abbreviation, with white space. */
const MAX_ABBREVIATION_LENGTH = 32;

/** Read at once, in UTF-16 code units: no sentence is longer. */
const MAX_SENTENCE_LENGTH = 16_384;

/** A capital alone is an initial; "I" may well end a sentence. */
const INITIAL = /^(?!I$)\p{Lu}$/u;

/**
 * The sentences of an English text, by the rules of Unicode (UAX #29) and some abbreviations. White space and what is
 * between sentences belongs to none. What goes on for more than 16,384 characters is cut at white space.
 *
 * @example
 * [...sentencesOf('Mr. Bennet sighed. "So it is."')].length // 2
 */
export function* sentencesOf(text: string): Generator<Sentence> {
  for (let start = startOf(text, 0); start < text.length; ) {
    const window = text.slice(start, start + MAX_SENTENCE_LENGTH);
    const sentences = [...sentencesWithin(window)];
    let next = start + window.length;
    if (next < text.length) {
      // The last one may go on after the window: it is read again, unless it is all there is.
      if (sentences.length > 1) next = start + sentences.pop()!.offset;
      else {
        next = start + cutOf(window);
        sentences[0] = { text: text.slice(start, next).trimEnd(), offset: 0 };
      }
    }
    for (const sentence of sentences) yield { text: sentence.text, offset: start + sentence.offset };
    start = startOf(text, next);
  }
}

/** Where something other than white space begins. */
function startOf(text: string, from: number): number {
  return text.length - text.slice(from).trimStart().length;
}

function* sentencesWithin(text: string): Generator<Sentence> {
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

/** After the last white space, else before half a character. */
function cutOf(text: string): number {
  for (let at = text.length; at > 0; at--) if (/\s/.test(text[at - 1]!)) return at;
  return /[\ud800-\udbff]$/.test(text.slice(-1)) ? text.length - 1 : text.length;
}

/** A line that ends goes on with nothing. */
function endsInAbbreviation(segment: string): boolean {
  // In a long row of letters the pattern would try each as the first.
  const last = /[\p{L}.]+(?=\.[^\S\n\r]*$)/u.exec(segment.slice(-MAX_ABBREVIATION_LENGTH))?.[0];
  return last !== undefined && isAbbreviation(last);
}

/** Whether a full stop behind a word is a part of it: "Mr", "e.g", an initial. */
export function isAbbreviation(word: string): boolean {
  return ABBREVIATIONS.has(word.toLowerCase()) || INITIAL.test(word);
}

function* trimmed(text: string, offset: number): Generator<Sentence> {
  const start = text.trimStart();
  if (start !== '') yield { text: start.trimEnd(), offset: offset + text.length - start.length };
}
