import { joinedWords } from '../../timedWords.ts';
import type { WrittenUnit } from '../writtenUnits.ts';
import { readNumber } from './readNumber.ts';

/** Pause in seconds that separates numbers. */
const MAX_PAUSE_SECONDS = 0.5;
/** Words within numbers: a number may continue after them. */
const LINKS: ReadonlySet<string> = new Set(['and', 'point']);

export interface NumberOptions {
  /** Frames in a second, in Hz. */
  readonly sampleRate: number;
  /** Words before the first unit. Default: none. */
  readonly before?: readonly string[];
  /**
   * True when the speaker continues without a pause, so that a number at the end may be incomplete. Default
   * false.
   */
  readonly goesOn?: boolean;
}

/**
 * Writes English numbers in digits: "twenty five" as 25, "five percent" as 5%.
 *
 * A number has the time of all its words, and their lowest confidence. Other words, phrases with their own
 * spelling, and possible parts of numbers stay.
 */
export function writeNumbers(units: readonly WrittenUnit[], options: NumberOptions): readonly WrittenUnit[] {
  const { sampleRate, before = [], goesOn = false } = options;
  const runs = runsOf(units, MAX_PAUSE_SECONDS * sampleRate);
  return runs.flatMap((run, index) =>
    writeRun(run, {
      before: index === 0 ? before : [],
      isOpen: index === runs.length - 1 && goesOn,
    }),
  );
}

/** Splits units at marks, long pauses and phrases. */
function runsOf(units: readonly WrittenUnit[], maxPause: number): readonly (readonly WrittenUnit[])[] {
  const runs: WrittenUnit[][] = [];
  for (const [index, unit] of units.entries()) {
    const last = units[index - 1];
    const goesOn =
      last?.mark === '' &&
      unit.startFrame - last.endFrame <= maxPause &&
      last.spelling === undefined &&
      unit.spelling === undefined;
    if (goesOn) runs.at(-1)!.push(unit);
    else runs.push([unit]);
  }
  return runs;
}

function writeRun(
  units: readonly WrittenUnit[],
  { before, isOpen }: { readonly before: readonly string[]; readonly isOpen: boolean },
): readonly WrittenUnit[] {
  const words = [...before, ...units.map(({ value, spelling }) => (spelling === undefined ? value : ''))];
  // Numbers up to here are complete.
  const wholeTo = isOpen ? words.findLastIndex(word => !LINKS.has(word)) : words.length;
  const written: WrittenUnit[] = [];
  let readTo = 0;
  for (let at = before.length; at < words.length; ) {
    const pieces = readNumber(words, at, readTo);
    const end = at + (pieces ?? []).reduce((sum, { count }) => sum + count, 0);
    if (!pieces || end > wholeTo) written.push(units[at++ - before.length]!);
    else {
      for (const { text, count } of pieces) {
        const from = at - before.length;
        const [first, ...rest] = units.slice(from, from + count);
        if (first)
          written.push({ ...joinedWords(first, rest), written: text, mark: rest.at(-1)?.mark ?? first.mark });
        at += count;
      }
      readTo = end;
    }
  }
  return written;
}
