import type { Dictionary } from './dictionary.ts';
import { type CodedWord, LetterAlignment } from './letterAlignment.ts';
import { MAX_SECOND } from './pairTable.ts';
import { type Place, SequenceModel } from './sequenceModel.ts';

/** Pronunciations of words outside the dictionary. */
export type LetterToSound = ReturnType<typeof learnLetterToSound>;

/** Order of the unit model. Five gave 1 % more errors, eight no fewer and twice the memory. */
const ORDER = 6;
/** Share of the words that the alignment is learned from, which is as good as all. */
const SAMPLE_EVERY = 10;
/** Size below which a dictionary is used as a whole. */
const SAMPLE_ALL = 1000;
const ALIGNMENT_PASSES = 6;
/** Beam width. Eight gave 1 % more errors, 32 no fewer. */
const BEAM = 16;
/** Margin of the beam in natural log probability. */
const MARGIN = 8;
/** Words to learn from; abbreviations and entries with signs are misleading. */
const TEACHABLE = /^[\p{L}']{2,}$/u;
const START = 0;
const END = 1;

/** A letter with its phones. */
interface Unit {
  readonly symbol: number;
  readonly phones: readonly number[];
}

/** Numbering of letters and phones. */
interface Code {
  readonly letters: ReadonlyMap<string, number>;
  readonly phones: ReadonlyMap<string, number>;
}

interface Hypothesis {
  readonly logProbability: number;
  readonly symbols: readonly number[];
  readonly phones: readonly number[];
  readonly place: Place;
}

/**
 * Learns the pronunciation of letters from a dictionary, as joint units of letters and phones and their
 * sequences.
 *
 * After Bisani and Ney, "Joint-sequence models for grapheme-to-phoneme conversion" (2008), with one letter in
 * a unit. Takes about 3 s for 130,000 words.
 */
export function learnLetterToSound(dictionary: Dictionary) {
  const code = codeOf(dictionary);
  const alignment = new LetterAlignment(code.letters.size, code.phones.size);
  const every = dictionary.size < SAMPLE_ALL ? 1 : SAMPLE_EVERY;
  const sample = [...sampleOf(codedWords(dictionary, code), every)];
  for (let pass = 0; pass < ALIGNMENT_PASSES; pass++) alignment.learn(sample);
  const { model, units } = learnUnits(codedWords(dictionary, code), alignment, code.letters.size);
  const names = ['', ...code.phones.keys()];

  return {
    /** Returns the likeliest pronunciations with their probabilities, best first; empty for unknown letters. */
    pronounce(word: string, count: number) {
      const letters = [...word].map(letter => units[code.letters.get(letter) ?? -1] ?? []);
      const probabilities = new Map<string, number>();
      for (const { logProbability, place, phones } of search(letters, model)) {
        if (phones.length === 0) continue;
        const text = phones.map(phone => names[phone]).join(' ');
        const probability = Math.exp(logProbability) * model.probability(place, END);
        probabilities.set(text, (probabilities.get(text) ?? 0) + probability);
      }
      return [...probabilities]
        .map(([phones, probability]) => ({ phones, probability }))
        .sort((one, other) => other.probability - one.probability)
        .slice(0, count);
    },
  };
}

function codeOf(dictionary: Dictionary): Code {
  const [letters, phones] = [new Set<string>(), new Set<string>()];
  for (const [word, pronunciations] of dictionary) {
    if (!TEACHABLE.test(word)) continue;
    for (const letter of word) letters.add(letter);
    for (const pronunciation of pronunciations)
      for (const phone of pronunciation.split(' ')) phones.add(phone);
  }
  const numbered = (names: Set<string>, first: number) =>
    new Map([...names].map((name, index) => [name, index + first]));
  return { letters: numbered(letters, 0), phones: numbered(phones, 1) };
}

/** Yields one word at a time: together they would take more memory than the model. */
function* codedWords(dictionary: Dictionary, { letters, phones }: Code): Generator<CodedWord> {
  for (const [word, pronunciations] of dictionary) {
    if (!TEACHABLE.test(word)) continue;
    const coded = Uint8Array.from(word, letter => letters.get(letter)!);
    for (const pronunciation of pronunciations) {
      yield {
        letters: coded,
        phones: Uint8Array.from(pronunciation.split(' '), phone => phones.get(phone)!),
      };
    }
  }
}

function* sampleOf(words: Iterable<CodedWord>, every: number): Generator<CodedWord> {
  let index = 0;
  for (const word of words) if (index++ % every === 0) yield word;
}

/** Returns the model of all words and the units of each letter. */
function learnUnits(
  words: Iterable<CodedWord>,
  alignment: LetterAlignment,
  letterCount: number,
): { readonly model: SequenceModel; readonly units: readonly (readonly Unit[])[] } {
  const model = new SequenceModel(ORDER);
  const units: Unit[][] = Array.from({ length: letterCount }, () => []);
  const symbols = new Map<number, number>();
  const symbolOf = (unit: number) => {
    const known = symbols.get(unit);
    if (known !== undefined) return known;
    const symbol = symbols.size + 2;
    symbols.set(unit, symbol);
    units[alignment.letterOf(unit)]!.push({ symbol, phones: alignment.phonesOf(unit) });
    return symbol;
  };
  for (const word of words) {
    const aligned = alignment.align(word);
    if (!aligned || symbols.size + aligned.length + 2 > MAX_SECOND) continue;
    model.learn([START, ...Array.from(aligned, symbolOf), END]);
  }
  model.finish();
  return { model, units };
}

/** Searches the likeliest units, letter by letter. */
function search(letters: readonly (readonly Unit[])[], model: SequenceModel): readonly Hypothesis[] {
  let hypotheses: readonly Hypothesis[] = [
    { logProbability: 0, symbols: [START], phones: [], place: model.placeAfter([START]) },
  ];
  for (const units of letters) {
    const next = hypotheses.flatMap(hypothesis =>
      units.map(unit => ({
        hypothesis,
        unit,
        logProbability:
          hypothesis.logProbability + Math.log(model.probability(hypothesis.place, unit.symbol)),
      })),
    );
    next.sort((one, other) => other.logProbability - one.logProbability);
    const least = (next[0]?.logProbability ?? 0) - MARGIN;
    const kept = next.slice(0, BEAM).filter(({ logProbability }) => logProbability > least);
    hypotheses = kept.map(({ hypothesis, unit, logProbability }) => {
      const symbols = [...hypothesis.symbols, unit.symbol].slice(1 - ORDER);
      const phones = [...hypothesis.phones, ...unit.phones];
      return { logProbability, symbols, phones, place: model.placeAfter(symbols) };
    });
  }
  return hypotheses;
}
