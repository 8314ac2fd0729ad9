import { fileURLToPath } from 'node:url';
import { createGrammarDecoder, type HeardLabel } from '../alignment/grammarDecoder.ts';
import { VOICE_SAMPLE_RATE } from '../voice/voiceDetector.ts';
import type { HeardWords } from './messages.ts';
import { phonesOf } from './phoneLetters.ts';
import type { SoundingWord } from './soundingWords.ts';
import { SEARCH_WEIGHT, type WordLoop, wordLoopOf } from './wordLoop.ts';

/** Compares what is said with the words of each language. Calls block. */
export interface WordLoopDecoder {
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
