import { textWidth } from '../text/textWidth.ts';
import { type CaptionProfile, readingAmount } from './captionProfile.ts';
import type { Cue } from './cue.ts';

/** What a cue can do against a profile; `gap` also stands for one that overlaps the next. */
export type CueRule = 'columns' | 'rows' | 'speed' | 'short' | 'long' | 'gap';

export interface CueViolation {
  /** Index of the cue. */
  readonly cue: number;
  readonly rule: CueRule;
}

/** Files have whole milliseconds: what is less counts as kept. */
const TOLERANCE_SECONDS = 0.0015;

/** Everything in which cues do not keep to a profile, in order. */
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
