import type { SpokenRecording } from '../../parts/speechData.ts';

/** Words of a recording that were typed anew, and the audio in which they must be. */
export interface Edit {
  /** Index of the first word, and of the one after the last. */
  readonly from: number;
  readonly to: number;
  /** Seconds between the word before and the word after. */
  readonly start: number;
  readonly end: number;
}

/** Returns each run of so many words between words with known times. */
export function editsOf(
  times: NonNullable<SpokenRecording['times']>,
  words: number,
  seconds: number,
): readonly Edit[] {
  return Array.from({ length: times.length - words + 1 }, (_, from) => {
    const to = from + words;
    return { from, to, start: times[from - 1]?.end ?? 0, end: times[to]?.start ?? seconds };
  });
}

/** A time found for a word, in seconds. */
export interface FoundTime {
  readonly start: number;
  readonly end: number;
}

/** A tally of found times next to those by hand. */
export interface Tally {
  add(found: FoundTime | undefined, byHand: FoundTime): void;
  row(): Readonly<Record<string, number>>;
}

const NEAR_SECONDS = 0.1;

export function createTally(): Tally {
  const counts = { words: 0, both: 0, start: 0, end: 0, none: 0 };
  return {
    add(found, byHand) {
      counts.words++;
      if (!found) return void counts.none++;
      // Times by hand have two decimals.
      const isNear = (one: number, other: number) => Math.abs(one - other) <= NEAR_SECONDS + 1e-6;
      const [start, end] = [isNear(found.start, byHand.start), isNear(found.end, byHand.end)];
      if (start) counts.start++;
      if (end) counts.end++;
      if (start && end) counts.both++;
    },
    row() {
      const percent = (count: number) => Math.round((1000 * count) / counts.words) / 10;
      return {
        words: counts.words,
        'both %': percent(counts.both),
        'start %': percent(counts.start),
        'end %': percent(counts.end),
        'without a time %': percent(counts.none),
      };
    },
  };
}
