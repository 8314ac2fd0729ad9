import type { Arc, Grammar } from '../soundswallower/grammarDecoder.ts';

/** Label of a piece of other speech, and its pronunciations: a few sounds that resemble all others. */
export const OTHER = 'other';
export const OTHER_SOUNDS = ['AA', 'AE', 'AH', 'IY', 'UW', 'ER', 'N', 'L', 'S', 'T', 'K', 'F'];

/** Probability of the first word that is left out, and of each further one in a row. */
const SKIP = 1e-20;
const SKIP_MORE = 1e-8;
/** Limit of the words that are left out in a row. At the ends there is none: without an end, nothing would be found. */
const MAX_SKIPPED = 4;
/** Probability that there is other speech at an end, and of each sound of it. */
const OTHER_SPEECH = 1e-25;
const OTHER_SOUND = 1e-5;

/**
 * Returns the grammar of a sequence of words, some of which may be left out.
 *
 * @param labels of the words
 * @param isLoose true when other speech may stand before and after them
 */
export function spokenGrammar(labels: readonly string[], isLoose: boolean): Grammar {
  const last = labels.length;
  const end = last + 1;
  const arcs: Arc[] = labels.map((label, from) => ({ from, to: from + 1, label, probability: 1 }));
  // The search takes one silent arc at a time.
  for (let from = 0; from < last; from++) {
    for (let to = from + 1; to <= Math.min(last, from + MAX_SKIPPED); to++) arcs.push(silentArc(from, to));
    arcs.push(silentArc(from, end));
  }
  arcs.push({ from: last, to: end, probability: 1 });
  for (let to = MAX_SKIPPED + 1; to <= last; to++) arcs.push(silentArc(0, to));
  if (isLoose) arcs.push(...otherSpeech(0, end + 1), ...otherSpeech(last, end + 2));
  return { states: end + 3, start: 0, end, arcs };
}

function silentArc(from: number, to: number): Arc {
  const skipped = Math.min(to - from, MAX_SKIPPED);
  return { from, to, probability: SKIP * SKIP_MORE ** (skipped - 1) };
}

/** Returns arcs that lead from a state through another one back to it. */
function otherSpeech(state: number, within: number): readonly Arc[] {
  return [
    { from: state, to: within, label: OTHER, probability: OTHER_SPEECH },
    { from: within, to: within, label: OTHER, probability: OTHER_SOUND },
    { from: within, to: state, label: OTHER, probability: OTHER_SOUND },
  ];
}
