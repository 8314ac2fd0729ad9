import type { WrittenUnit } from '../writtenUnits.ts';
import { readNumber } from './readNumber.ts';

/** A longer pause parts numbers. */
const MAX_PAUSE_SECONDS = 0.5;

/**
 * English numbers in digits: "twenty five" as 25, "five percent" as 5%.
 *
 * What is written as one has the time from the first word to the last, and the lowest of their confidences. Words that
 * are no numbers, and phrases that have their own spelling, are left as they are.
 */
export function writeNumbers(units: readonly WrittenUnit[], sampleRate: number): readonly WrittenUnit[] {
  return runsOf(units, MAX_PAUSE_SECONDS * sampleRate).flatMap(writeRun);
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

function writeRun(units: readonly WrittenUnit[]): readonly WrittenUnit[] {
  const words = units.map(({ value, spelling }) => (spelling === undefined ? value : ''));
  const written: WrittenUnit[] = [];
  for (let at = 0; at < units.length; ) {
    const pieces = readNumber(words, at);
    if (!pieces) written.push(units[at]!);
    for (const { text, count } of pieces ?? []) {
      written.push({ ...merged(units.slice(at, at + count)), written: text });
      at += count;
    }
    if (!pieces) at++;
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
