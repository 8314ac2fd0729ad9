import type { Cue } from '../../transcript/cues/cue.ts';

/** Cues further apart do not go on with each other, in seconds. */
const MAX_APART = 0.5;

/**
 * Cues without the lines that they repeat from the cue before, where captions roll up: most cues of several lines begin
 * with what stood below in the cue before. Elsewhere what is said twice stays.
 */
export function withoutRepeats(cues: readonly Cue[]): readonly Cue[] {
  const repeats = cues.map((cue, index) => repeatedLines(cues[index - 1], cue));
  const following = cues.flatMap((cue, index) =>
    cue.lines.length > 1 && follows(cues[index - 1], cue) ? [repeats[index]! > 0] : [],
  );
  const rolling = following.filter(repeated => repeated).length;
  if (rolling === 0 || rolling * 2 < following.length) return cues;
  return cues.map((cue, index) => ({ ...cue, lines: cue.lines.slice(repeats[index]) }));
}

function follows(before: Cue | undefined, cue: Cue): boolean {
  return before !== undefined && Math.abs(cue.ts - before.endTs) <= MAX_APART;
}

/** How many lines at the beginning stood at the end of the cue before. */
function repeatedLines(before: Cue | undefined, cue: Cue): number {
  if (!before || !follows(before, cue)) return 0;
  for (let count = Math.min(before.lines.length, cue.lines.length); count > 0; count--) {
    const end = before.lines.slice(-count);
    if (end.every((line, index) => line === cue.lines[index])) return count;
  }
  return 0;
}
