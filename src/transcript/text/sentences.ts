/** A sentence without the white space around it. */
export interface Sentence {
  readonly text: string;
  /** Start in the whole text, in UTF-16 code units. */
  readonly offset: number;
}

/** Abbreviations whose full stop is followed by a name, not by another sentence. */
const ABBREVIATIONS: ReadonlySet<string> = new Set([
  ...['mr', 'mrs', 'ms', 'messrs', 'mme', 'mlle', 'dr', 'prof', 'rev', 'hon', 'fr', 'st', 'ste', 'mt', 'ft'],
  ...['capt', 'cmdr', 'col', 'gen', 'lt', 'maj', 'sgt', 'adm', 'cpl', 'pvt', 'gov', 'sen', 'rep', 'pres'],
  ...['supt', 'insp', 'amb', 'atty', 'vs', 'e.g', 'i.e', 'cf', 'viz', 'fig', 'vol', 'approx', 'dept'],
]);

/** Characters at the end of a sentence that are searched: more than the longest abbreviation, with white space. */
const MAX_ABBREVIATION_LENGTH = 32;

/** Maximum number of UTF-16 code units in one sentence. */
const MAX_SENTENCE_LENGTH = 16_384;

/** A single capital is an initial, except "I", which may end a sentence. */
const INITIAL = /^(?!I$)\p{Lu}$/u;

/**
 * Yields the sentences of an English text, by the rules of Unicode (UAX #29) and a list of abbreviations. White space between
 * sentences is left out. Sentences of more than 16,384 characters are cut at white space.
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
      // The last sentence may continue after the window: read it again, unless it is the only one.
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

/** Returns the index of the first character that is not white space. */
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

/** Returns the index after the last white space, else one that does not split a surrogate pair. */
function cutOf(text: string): number {
  const space = text.search(/\s\S*$/);
  if (space >= 0) return space + 1;
  return /[\ud800-\udbff]$/.test(text.slice(-1)) ? text.length - 1 : text.length;
}

/** Returns whether a segment ends in an abbreviation. The end of a line always ends a sentence. */
function endsInAbbreviation(segment: string): boolean {
  // Without the slice, the pattern would take quadratic time on a long run of letters.
  const last = /[\p{L}.]+(?=\.[^\S\n\r]*$)/u.exec(segment.slice(-MAX_ABBREVIATION_LENGTH))?.[0];
  return last !== undefined && isAbbreviation(last);
}

/** Returns whether a full stop after a word belongs to the word: "Mr", "e.g", an initial. */
export function isAbbreviation(word: string): boolean {
  return ABBREVIATIONS.has(word.toLowerCase()) || INITIAL.test(word);
}

function* trimmed(text: string, offset: number): Generator<Sentence> {
  const start = text.trimStart();
  if (start !== '') yield { text: start.trimEnd(), offset: offset + text.length - start.length };
}
