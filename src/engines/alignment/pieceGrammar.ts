import type { Arc, Grammar } from '../soundswallower/grammarDecoder.ts';
import type { Segment } from './pieces.ts';

/** Probability of a word. It keeps the search from finding an additional word in the breath at the end. */
export const WORD_PROBABILITY = 1e-6;
/** Probability of skipping a word of the text where speech differs. */
const SKIP = 1e-8;

/**
 * Labels of the words of the text and of the recognised words; undefined for a word without a pronunciation.
 */
export interface Labels {
  readonly text: (word: number) => string | undefined;
  readonly heard: (word: number) => string | undefined;
}

/**
 * Returns a grammar of the matched words in order, with either the text or the recognised words between them.
 * Where both have equally many words, the choice is made word by word.
 */
export function pieceGrammar(segments: readonly Segment[], labels: Labels): Grammar {
  const arcs: Arc[] = [];
  let at = 0;
  let states = 1;

  /**
   * Adds the paths from the current state to the next one. With `maySkip`, single words of a path may be left
   * out.
   */
  function addWays(ways: readonly { readonly path: readonly string[]; readonly maySkip?: boolean }[]): void {
    const to = states++;
    for (const { path, maySkip } of ways) {
      if (path.length === 0) arcs.push({ from: at, to, probability: 1 });
      let from = at;
      for (const [index, label] of path.entries()) {
        const next = index === path.length - 1 ? to : states++;
        arcs.push({ from, to: next, label, probability: WORD_PROBABILITY });
        if (maySkip && path.length > 1) arcs.push({ from, to: next, probability: SKIP });
        from = next;
      }
    }
    at = to;
  }

  const isKnown = (label: string | undefined) => label !== undefined;
  for (const segment of segments) {
    if (segment.type === 'matched') {
      addWays([{ path: [labels.text(segment.word)].filter(isKnown) }]);
      continue;
    }
    const text = segment.text.map(labels.text).filter(isKnown);
    const heard = segment.heard.map(labels.heard).filter(isKnown);
    if (text.length === heard.length) {
      for (const [index, label] of text.entries()) addWays([{ path: [label] }, { path: [heard[index]!] }]);
    } else {
      addWays([{ path: heard }, ...(text.length > 0 ? [{ path: text, maySkip: true }] : [])]);
    }
  }
  return { states, start: 0, end: at, arcs };
}
