import type { HeardSound } from './heardRuns.ts';
import { excessOf, isTooLong } from './misfit.ts';
import { misfitOfWord } from './plainGrammar.ts';

const USUAL_MISFIT = 2;
/** By trial, with texts that are right and wrong. */
const MOST_EXCESS = 45;

/**
 * Whether speech is likely to say what was heard in it because nothing else might be: no stretch of words and pauses is
 * too unlike it.
 *
 * @param heard words; what has no number is a pause
 */
export function soundsAsSaid(heard: readonly HeardSound[]): boolean {
  let excess = 0;
  for (const sound of heard) {
    const isWord = sound.word !== undefined;
    if (isWord && isTooLong(sound)) return false;
    excess = Math.max(0, excess + excessOf(sound, USUAL_MISFIT, isWord ? misfitOfWord : 0));
    if (excess > MOST_EXCESS) return false;
  }
  return true;
}
