import { distance } from 'fastest-levenshtein';

/** Largest part of a name that may be wrong. */
const MOST_WRONG = 0.5;

/** Returns the name that was probably meant; undefined when none is similar. */
export function closestName(name: string, names: readonly string[]): string | undefined {
  const near = names
    .map(known => ({ known, wrong: distance(name.toLowerCase(), known.toLowerCase()) }))
    .filter(({ known, wrong }) => wrong <= Math.max(1, known.length * MOST_WRONG))
    .sort((a, b) => a.wrong - b.wrong);
  return near[0]?.known;
}
