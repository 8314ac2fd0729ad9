import type { WrittenUnit } from '../writtenUnits.ts';
import { isNumberWord } from './cardinals.ts';
import { readNumber } from './readNumber.ts';

/** A longer pause parts numbers. */
const MAX_PAUSE_SECONDS = 0.5;

export interface NumberOptions {
  /** Frames a second, in Hz. */
  readonly sampleRate: number;
  /** The word before the first. Default: none. */
  readonly before?: string;
  /** The speaker goes on without a pause: a number at the end may not be whole. Default false. */
  readonly goesOn?: boolean;
}

/**
 * English numbers in digits: "twenty five" as 25, "five percent" as 5%.
 *
 * What is written as one has the time from the first word to the last, and the lowest of their confidences. Words that
 * are no numbers, phrases that have their own spelling, and what may be a part of a number are left as they are.
 */
export function writeNumbers(units: readonly WrittenUnit[], options: NumberOptions): readonly WrittenUnit[] {
  const { sampleRate, before, goesOn = false } = options;
  const runs = runsOf(units, MAX_PAUSE_SECONDS * sampleRate);
  return runs.flatMap((run, index) =>
    writeRun(run, {
      isBegun: index === 0 && isNumberWord(before),
      isOpen: index === runs.length - 1 && goesOn,
    }),
  );
}

/** Units with neither a mark nor a long pause nor a phrase between them. */
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
  { isBegun, isOpen }: { readonly isBegun: boolean; readonly isOpen: boolean },
): readonly WrittenUnit[] {
  const words = units.map(({ value, spelling }) => (spelling === undefined ? value : ''));
  const numbersFrom = isBegun ? words.findIndex(word => !isNumberWord(word)) : 0;
  const written: WrittenUnit[] = [];
  for (let at = 0; at < units.length; ) {
    const pieces = numbersFrom < 0 || at < numbersFrom ? undefined : readNumber(words, at);
    const end = at + (pieces ?? []).reduce((sum, { count }) => sum + count, 0);
    if (!pieces || (isOpen && end === units.length)) written.push(units[at++]!);
    else {
      for (const { text, count } of pieces) {
        written.push({ ...merged(units.slice(at, at + count)), written: text });
        at += count;
      }
    }
  }
  return written;
}

function merged(units: readonly WrittenUnit[]): WrittenUnit {
  const first = units[0]!;
  const last = units.at(-1)!;
  const { confidence: _, ...rest } = first;
  const confidences = units.map(unit => unit.confidence).filter(confidence => confidence !== undefined);
  return {
    ...rest,
    value: units.map(({ value }) => value).join(' '),
    endFrame: last.endFrame,
    mark: last.mark,
    ...(confidences.length === units.length && { confidence: Math.min(...confidences) }),
  };
}
