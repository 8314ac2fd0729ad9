import { distance } from 'fastest-levenshtein';

/** More than this part of a name may not be wrong. */
const MOST_WRONG = 0.5;

/** Which of the names somebody may have meant; undefined when none is near. */
export function closestName(name: string, names: readonly string[]): string | undefined {
  const near = names
    .map(known => ({ known, wrong: distance(name.toLowerCase(), known.toLowerCase()) }))
    .filter(({ known, wrong }) => wrong <= Math.max(1, known.length * MOST_WRONG))
    .sort((a, b) => a.wrong - b.wrong);
  return near[0]?.known;
}
