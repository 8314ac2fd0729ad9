import { decibelsOf } from '../voice/decibels.ts';

/** Frames of a level: 10 ms. */
const LEVEL_FRAMES = 160;
/** Shorter silence is part of a consonant. */
const LEAST_PAUSE_LEVELS = 12;
/** Position of the limit of silence between the softest and the loudest levels, in decibels. */
const QUIET_SHARE = 0.3;
const SOFTEST = 0.05;
const LOUDEST = 0.95;

/** A stretch without speech, in frames. */
export interface Pause {
  readonly startFrame: number;
  readonly endFrame: number;
}

/** Returns the pauses of at least 0.12 s in a range of audio at 16 kHz, with a resolution of 10 ms. */
export function pausesIn(samples: Int16Array, start: number, end: number): readonly Pause[] {
  const levels: number[] = [];
  for (let at = start; at + LEVEL_FRAMES <= end; at += LEVEL_FRAMES) {
    levels.push(decibelsOf(samples.subarray(at, at + LEVEL_FRAMES)));
  }
  const sorted = levels.toSorted((one, other) => one - other);
  const quantile = (share: number) => sorted[Math.floor(sorted.length * share)] ?? 0;
  const limit = quantile(SOFTEST) + QUIET_SHARE * (quantile(LOUDEST) - quantile(SOFTEST));
  const pauses: Pause[] = [];
  let from = 0;
  for (let index = 0; index <= levels.length; index++) {
    if (index < levels.length && levels[index]! < limit) continue;
    if (index - from >= LEAST_PAUSE_LEVELS) {
      pauses.push({ startFrame: start + from * LEVEL_FRAMES, endFrame: start + index * LEVEL_FRAMES });
    }
    from = index + 1;
  }
  return pauses;
}
