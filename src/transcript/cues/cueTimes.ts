import { type CaptionProfile, comfortableSeconds, readingAmount } from './captionProfile.ts';
import type { Cue } from './cue.ts';

/** Seconds that a cue has at least, however crowded it is. */
const LEAST_SECONDS = 0.1;

/**
 * From the spans of speech to the spans on screen: a cue is held into the silence after it until it can be read, never
 * over the next one. Times are whole milliseconds.
 */
export function cueTimes(spoken: readonly Cue[], profile: CaptionProfile): readonly Cue[] {
  const starts: number[] = [];
  for (const { ts } of spoken) {
    const earliest = starts.length === 0 ? 0 : starts.at(-1)! + LEAST_SECONDS + profile.minGapSeconds;
    starts.push(wholeMs(Math.max(ts, earliest)));
  }
  return spoken.map((cue, index) => {
    const ts = starts[index]!;
    const latest = (starts[index + 1] ?? Number.POSITIVE_INFINITY) - profile.minGapSeconds;
    return { ...cue, ts, endTs: wholeMs(endOf({ ...cue, ts }, latest, profile)) };
  });
}

function endOf({ ts, endTs, lines }: Cue, latest: number, profile: CaptionProfile): number {
  const text = lines.join(' ');
  const amount = readingAmount(text, profile.speed.unit);
  const wanted = comfortableSeconds(amount, readingAmount(text, 'words'), profile);
  const end = Math.max(endTs, ts + wanted, ts + LEAST_SECONDS);
  // Where cues would overlap, the gap to the latest end is below nothing.
  const held = latest - end < profile.closeGapsBelowSeconds ? latest : end;
  return Math.min(held, ts + profile.maxSeconds);
}

const wholeMs = (seconds: number) => Math.round(seconds * 1000) / 1000;
