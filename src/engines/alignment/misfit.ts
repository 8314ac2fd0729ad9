/** A word that was found, by its sound. */
interface FoundWord {
  readonly startFrame: number;
  readonly endFrame: number;
  /** Of a hundredth of a second, as the decoder tells it. */
  readonly misfit: number;
  /** The least number of its phones. */
  readonly phones: number;
}

const TICK_FRAMES = 160;
/** Nobody draws words out more. */
const MAX_TICKS = 60;
const MAX_TICKS_A_PHONE = 30;
/** More misfit than this is suspicious, and yet common in short words: it counts by their length. */
const USUAL_MISFIT = 3;
/** A word that is more unlike what is heard, by its length, was not said, though those around it were. */
const MOST_EXCESS = 40;

/**
 * Whether a word is too unlike what is heard, or too long, to have been said.
 *
 * @param probability of the word in the grammar: what it adds to the misfit is no fault of the sound
 */
export function isUnlike({ startFrame, endFrame, misfit, phones }: FoundWord, probability: number): boolean {
  const ticks = (endFrame - startFrame) / TICK_FRAMES;
  if (ticks > MAX_TICKS + MAX_TICKS_A_PHONE * phones) return true;
  return (misfit - USUAL_MISFIT) * ticks + Math.log(probability) > MOST_EXCESS;
}
