import { captionCues } from '../../transcript/cues/captionCues.ts';
import {
  CAPTION_PROFILES,
  type CaptionProfile,
  type CaptionProfileName,
} from '../../transcript/cues/captionProfile.ts';
import { type CueRule, cueViolations } from '../../transcript/cues/cueViolations.ts';
import type { Transcript } from '../../transcript/model/model.ts';

/** A caption that breaks at least one rule. */
export interface BrokenCue {
  /** Seconds since the start of the audio. */
  readonly ts: number;
  readonly endTs: number;
  readonly text: string;
  readonly rules: readonly CueRule[];
}

export interface CaptionLook {
  readonly profile: CaptionProfileName | CaptionProfile;
  /** Language code, for line breaks. Default `en`. */
  readonly language?: string;
}

/** Lays a transcript out as captions and returns those that break a rule of the profile, in order. */
export function brokenCues(transcript: Transcript, look: CaptionLook): readonly BrokenCue[] {
  const profile = typeof look.profile === 'string' ? CAPTION_PROFILES[look.profile] : look.profile;
  const cues = captionCues(transcript, { profile, language: look.language });
  const byCue = Map.groupBy(cueViolations(cues, profile), ({ cue }) => cue);
  return cues.flatMap(({ ts, endTs, lines }, index) => {
    const rules = byCue.get(index)?.map(({ rule }) => rule);
    return rules ? [{ ts, endTs, text: lines.join('\n'), rules }] : [];
  });
}

/** Counts the violations of each rule. */
export function countRules(cues: readonly BrokenCue[]): Readonly<Partial<Record<CueRule, number>>> {
  const counts: Partial<Record<CueRule, number>> = {};
  for (const rule of cues.flatMap(({ rules }) => rules)) counts[rule] = (counts[rule] ?? 0) + 1;
  return counts;
}
