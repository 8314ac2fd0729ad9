import type { HeardLabel } from './grammarDecoder.ts';
import { WORD } from './plainGrammar.ts';

/** More than this is suspicious in a word, and common in short ones... */
const MISFIT = 2;
/** ...so that it counts by its length, in hundredths of a second; by trial, with texts that are right and wrong. */
const MOST_EXCESS = 45;
const TICK_FRAMES = 160;

/**
 * Whether speech is likely to say what was heard in it because nothing else might be: no stretch of words and pauses is
 * too unlike it.
 */
export function soundsAsSaid(heard: readonly HeardLabel[]): boolean {
  let excess = 0;
  for (const { label, startFrame, endFrame, misfit } of heard) {
    const ticks = (endFrame - startFrame) / TICK_FRAMES;
    const expected = MISFIT * ticks + (label === undefined ? 0 : -Math.log(WORD));
    excess = Math.max(0, excess + misfit * ticks - expected);
    if (excess > MOST_EXCESS) return false;
  }
  return heard.some(({ label }) => label !== undefined);
}
