import { textWidth } from '../text/textWidth.ts';
import { type CaptionProfile, readingAmount } from './captionProfile.ts';
import type { Cue } from './cue.ts';

/** Rules of a profile that a cue can violate; `gap` includes an overlap with the next cue. */
export type CueRule = 'columns' | 'rows' | 'speed' | 'short' | 'long' | 'gap';

export interface CueViolation {
  /** Index of the violating cue. */
  readonly cue: number;
  readonly rule: CueRule;
}

/** Tolerance for the rounding of times to milliseconds in files. */
const TOLERANCE_SECONDS = 0.0015;

/**
 * Returns all violations of a profile, in the order of the cues.
 *
 * @example
 * import { CAPTION_PROFILES } from 'rxscribe';
 * import { cueViolations } from 'rxscribe/replay';
 *
 * cueViolations([{ ts: 0, endTs: 0.2, lines: ['Hello'] }], CAPTION_PROFILES.netflix); // speed, short
 */
export function cueViolations(cues: readonly Cue[], profile: CaptionProfile): readonly CueViolation[] {
  return cues.flatMap((cue, index) =>
    [...textRules(cue, profile), ...timeRules(cue, cues[index + 1], profile)].map(rule => ({
      cue: index,
      rule,
    })),
  );
}

function textRules({ ts, endTs, lines }: Cue, { columns, rows, speed }: CaptionProfile): CueRule[] {
  const amount = readingAmount(lines.join(' '), speed.unit);
  const rules: CueRule[] = [];
  if (lines.some(line => textWidth(line) > columns)) rules.push('columns');
  if (lines.length > rows) rules.push('rows');
  if (amount > speed.most * (endTs - ts + TOLERANCE_SECONDS)) rules.push('speed');
  return rules;
}

function timeRules({ ts, endTs, lines }: Cue, next: Cue | undefined, profile: CaptionProfile): CueRule[] {
  const { minSeconds, minSecondsPerWord, maxSeconds, minGapSeconds, closeGapsBelowSeconds } = profile;
  const seconds = endTs - ts;
  const least = Math.max(minSeconds, minSecondsPerWord * readingAmount(lines.join(' '), 'words'));
  const gap = next ? next.ts - endTs : Number.POSITIVE_INFINITY;
  const open = gap > minGapSeconds + TOLERANCE_SECONDS && gap < closeGapsBelowSeconds - TOLERANCE_SECONDS;
  const rules: CueRule[] = [];
  if (seconds < least - TOLERANCE_SECONDS) rules.push('short');
  if (seconds > maxSeconds + TOLERANCE_SECONDS) rules.push('long');
  if (gap < minGapSeconds - TOLERANCE_SECONDS || open) rules.push('gap');
  return rules;
}
