import type { Cue } from '../../transcript/cues/cue.ts';

/** Cues further apart do not go on with each other, in seconds. */
const MAX_APART = 0.5;
/** Once may be chance: a line that was said twice. */
const MIN_ROLLING = 2;

/**
 * Cues without the lines that they repeat from the cue before, where captions roll up: most cues of several lines begin
 * with what stood below in the cue before, and go on. Elsewhere what is said twice stays.
 */
export function withoutRepeats(cues: readonly Cue[]): readonly Cue[] {
  const repeats = cues.map((cue, index) => repeatedLines(cues[index - 1], cue));
  const following = cues.flatMap((cue, index) =>
    cue.lines.length > 1 && follows(cues[index - 1], cue) ? [isPart(repeats[index]!, cue)] : [],
  );
  const rolling = following.filter(repeated => repeated).length;
  if (rolling < MIN_ROLLING || rolling * 2 < following.length) return cues;
  return cues.map((cue, index) => ({ ...cue, lines: cue.lines.slice(repeats[index]) }));
}

const isPart = (repeated: number, cue: Cue) => repeated > 0 && repeated < cue.lines.length;

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
