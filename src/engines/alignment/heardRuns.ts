import { excessOf, isTooLong } from './misfit.ts';
import { MAX_SKIPPED, misfitOfSkipping, misfitOfTurning } from './textGrammar.ts';

/** A word of the text that was heard, by its number. */
export interface HeardTextWord {
  readonly word: number;
  readonly startFrame: number;
  readonly endFrame: number;
}

/** A word of the text, or a sound that belongs to none: that has no number. */
export interface HeardSound {
  readonly word?: number;
  /** How many phones it has at least. */
  readonly phones: number;
  readonly startFrame: number;
  readonly endFrame: number;
  /** As that of a label. */
  readonly misfit: number;
}

/** More than where nothing but the text may be heard: all sounds are likely to be there. */
const USUAL_MISFIT = 3;
/** A word that is more unlike what is heard, by its length, was not said, though those around it were. */
const MOST_EXCESS_OF_WORD = 40;
/** Phones of words in a row that make it likely that they were said, where they are expected... */
const NEAR_PHONES = 5;
/** ...and how many more for each time that they are twice as far away as this many words. */
const NEAR_WORDS = 10;
const FAR_PHONES = 3;

interface Run {
  readonly words: HeardTextWord[];
  phones: number;
  /** How much they are unlike what is heard, all in all: little where they were said. */
  excess: number;
  /** No sounds besides it are next to it. */
  isClean: boolean;
}

/**
 * Words that are believed to have been said: short ones that follow no others of the text are heard in any speech.
 *
 * @param expected the word with which speech is likely to go on
 */
export function acceptedRuns(sounds: readonly HeardSound[], expected: number): readonly HeardTextWord[] {
  const accepted: HeardTextWord[] = [];
  let next = expected;
  for (const { words, phones, excess, isClean } of runsOf(sounds)) {
    if (excess > 0) continue;
    const distance = Math.abs(words[0]!.word - next);
    const wanted = NEAR_PHONES + FAR_PHONES * Math.log2(Math.max(1, distance / NEAR_WORDS));
    if (phones < wanted && !(isClean && distance <= MAX_SKIPPED)) continue;
    accepted.push(...words);
    next = words.at(-1)!.word + 1;
  }
  return accepted;
}

function runsOf(sounds: readonly HeardSound[]): readonly Run[] {
  const runs: Run[] = [];
  let open: Run | undefined;
  let isAfterSound = false;
  for (const sound of sounds) {
    const { word, phones, startFrame, endFrame } = sound;
    if (word === undefined) {
      if (open) open.isClean = false;
      isAfterSound = true;
      continue;
    }
    const step = open ? word - open.words.at(-1)!.word : 0;
    const isNext = step >= 1 && step <= MAX_SKIPPED + 1;
    const excess = excessOf(sound, USUAL_MISFIT, isNext ? misfitOfSkipping(step - 1) : misfitOfTurning);
    isAfterSound &&= !isNext;
    if (excess > MOST_EXCESS_OF_WORD || isTooLong(sound)) continue;
    if (!open || !isNext) {
      open = { words: [], phones: 0, excess: 0, isClean: !isAfterSound };
      runs.push(open);
    }
    open.words.push({ word, startFrame, endFrame });
    open.phones += phones;
    open.excess += excess;
    isAfterSound = false;
  }
  return runs;
}
