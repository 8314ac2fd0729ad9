import {
  createGrammarDecoder,
  type FoundLabel,
  type Grammar,
  TICK_FRAMES,
} from '../soundswallower/grammarDecoder.ts';
import { phonesOf, type SoundingWord } from './soundingWords.ts';

/** The fit of a language's words to speech. */
export interface WordFit {
  /**
   * Mean weighted log likelihood of 10 ms in words, relative to the likeliest sounds: at most 0, and 0
   * without words.
   */
  readonly score: number;
  /** Number of words; noise and music have few. */
  readonly words: number;
  /** Share of the speech in which the words were looked for. Default 1. */
  readonly share?: number;
}

/** A fit with its duration. */
export interface TimedWordFit extends WordFit {
  /** Duration of the words, in units of 10 ms. */
  readonly ticks: number;
}

/** A decoder that compares speech with the words of each language. Calls block. */
interface WordLoopDecoder {
  /** Returns the fit by language, of the given languages only. Default: all. */
  hear(samples: Int16Array, languages?: readonly string[]): Readonly<Record<string, TimedWordFit>>;
}

const SETTINGS = {
  // Scores are relative to the best of all sounds at each moment; otherwise languages could not be compared.
  compallsen: true,
  // Approximate number of states that are searched at a time.
  maxhmmpf: 1000,
  beam: 1e-40,
  pbeam: 1e-40,
  wbeam: 1e-25,
  wip: 0.65,
};

/** Exponent of word probabilities in a score: of 0 to 15, values from 8 to 12 separate languages best. */
const SCORE_WEIGHT = 8;

/** Loads SoundSwallower with its English acoustic model and teaches it the words of all languages. */
export async function createWordLoopDecoder(
  words: Readonly<Record<string, readonly SoundingWord[]>>,
): Promise<WordLoopDecoder> {
  const decoder = await createGrammarDecoder(SETTINGS);
  const loops = Object.entries(words).map(
    ([language, all]) => [language, wordLoopOf(language, all)] as const,
  );
  for (const { label, letters } of loops.flatMap(([, { words }]) => words)) {
    decoder.teach(label, [phonesOf(letters)]);
  }
  return {
    hear: (samples, languages) =>
      Object.fromEntries(
        loops
          .filter(([language]) => languages?.includes(language) ?? true)
          .map(([language, loop]) => [language, wordFitOf(decoder.search(loop.grammar, samples), loop)]),
      ),
  };
}

function wordFitOf(labels: readonly FoundLabel[], { words }: WordLoop): TimedWordFit {
  const logs = new Map(words.map(({ label, logProbability }) => [label, logProbability]));
  let [sum, ticks, count] = [0, 0, 0];
  for (const { label, startFrame, endFrame, misfit } of labels) {
    // Pauses and noise say nothing about the language.
    if (label === undefined) continue;
    const length = (endFrame - startFrame) / TICK_FRAMES;
    sum += (SCORE_WEIGHT - SEARCH_WEIGHT) * logs.get(label)! - misfit * length;
    ticks += length;
    count += 1;
  }
  return { score: ticks === 0 ? 0 : sum / ticks, words: count, ticks };
}

/** The words of a language in any order. */
interface WordLoop {
  readonly grammar: Grammar;
  /** Words to teach to the decoder. */
  readonly words: readonly LoopWord[];
}

interface LoopWord {
  /** Label in the grammar. */
  readonly label: string;
  /** Sound as in {@link SoundingWord}. */
  readonly letters: string;
  /** Natural logarithm of the word's probability. */
  readonly logProbability: number;
}

/**
 * Exponent of word probabilities in a search. With 1, sounds would outweigh words by far; with 6, a search is
 * a third faster and its scores separate languages less well.
 */
const SEARCH_WEIGHT = 3;

/** Returns a loop over the words of a language, each with the probability of its frequency. */
function wordLoopOf(language: string, words: readonly SoundingWord[]): WordLoop {
  const total = words.reduce((sum, { count }) => sum + count, 0);
  const named = words.map(({ letters, count }, index) => ({
    label: `${language}${index}`,
    letters,
    logProbability: Math.log(count / total),
  }));
  const arcs = named.map(({ label, logProbability }) => ({
    from: 0,
    to: 0,
    label,
    probability: Math.exp(SEARCH_WEIGHT * logProbability),
  }));
  return { grammar: { states: 1, start: 0, end: 0, arcs }, words: named };
}
