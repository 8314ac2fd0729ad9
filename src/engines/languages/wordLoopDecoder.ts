import { fileURLToPath } from 'node:url';
import { createGrammarDecoder, type Grammar, type HeardLabel } from '../soundswallower/grammarDecoder.ts';
import { VOICE_SAMPLE_RATE } from '../voice/voiceDetector.ts';
import { phonesOf, type SoundingWord } from './soundingWords.ts';

/** The fit of a language's words to speech. */
export interface HeardWords {
  /**
   * Mean weighted log likelihood of 10 ms in words, relative to that of the likeliest sounds: at most 0. 0 without words.
   */
  readonly score: number;
  /** Number of words; noise and music have few. */
  readonly words: number;
}

/** Compares what is said with the words of each language. Calls block. */
interface WordLoopDecoder {
  /** By language. */
  hear(samples: Int16Array): Readonly<Record<string, HeardWords>>;
}

const SETTINGS = {
  // Scores are relative to the best sound of each moment: of all sounds, or languages could not be compared.
  compallsen: true,
  // States that are searched at a time, about.
  maxhmmpf: 1000,
  beam: 1e-40,
  pbeam: 1e-40,
  wbeam: 1e-25,
  wip: 0.65,
};

/** Powers of the probabilities of words in a score; of 0 to 15, those from 8 to 12 tell languages apart best. */
const SCORE_WEIGHT = 8;
/** Misfits are for so many frames each. */
const TICK_FRAMES = VOICE_SAMPLE_RATE / 100;

/** Loads SoundSwallower with its English acoustic model, and teaches it the words of all languages. */
export async function createWordLoopDecoder(
  words: Readonly<Record<string, readonly SoundingWord[]>>,
): Promise<WordLoopDecoder> {
  const model = fileURLToPath(new URL('./model/en-us/', import.meta.resolve('soundswallower')));
  const decoder = await createGrammarDecoder(model, SETTINGS);
  const loops = Object.entries(words).map(
    ([language, all]) => [language, wordLoopOf(language, all)] as const,
  );
  for (const { label, letters } of loops.flatMap(([, { words }]) => words)) {
    decoder.teach(label, [phonesOf(letters)]);
  }
  return {
    hear: samples =>
      Object.fromEntries(
        loops.map(([language, loop]) => [language, heardWords(decoder.search(loop.grammar, samples), loop)]),
      ),
  };
}

function heardWords(labels: readonly HeardLabel[], { words }: WordLoop): HeardWords {
  const logs = new Map(words.map(({ label, logProbability }) => [label, logProbability]));
  let [sum, ticks, count] = [0, 0, 0];
  for (const { label, startFrame, endFrame, misfit } of labels) {
    // Pauses and noise tell of no language.
    if (label === undefined) continue;
    const length = (endFrame - startFrame) / TICK_FRAMES;
    sum += (SCORE_WEIGHT - SEARCH_WEIGHT) * logs.get(label)! - misfit * length;
    ticks += length;
    count += 1;
  }
  return { score: ticks === 0 ? 0 : sum / ticks, words: count };
}

/** The words of a language, any of which may follow any other. */
interface WordLoop {
  readonly grammar: Grammar;
  /** Words that the decoder has to learn. */
  readonly words: readonly LoopWord[];
}

interface LoopWord {
  /** The word in the grammar. */
  readonly label: string;
  /** Its sound, as {@link SoundingWord} has it. */
  readonly letters: string;
  /** The logarithm of how likely it is. */
  readonly logProbability: number;
}

/**
 * Powers of the probabilities of words in a search: with 1, those of sounds, which are far more, would count for nearly
 * all; with 6, a search is a third faster and its scores tell less.
 */
const SEARCH_WEIGHT = 3;

/** Returns the loop over the words of a language, each as likely as its count says. */
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
