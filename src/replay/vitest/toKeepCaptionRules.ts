import { captionCues } from '../../transcript/cues/captionCues.ts';
import {
  CAPTION_PROFILES,
  type CaptionProfile,
  type CaptionProfileName,
} from '../../transcript/cues/captionProfile.ts';
import { cueViolations } from '../../transcript/cues/cueViolations.ts';
import { transcriptOf } from './heard.ts';
import { counted, shown, type Verdict, verdict } from './verdict.ts';

/** Of more captions than this the count says enough. */
const MAX_SHOWN = 10;

/** Whether a transcript, laid out as captions, keeps to a profile: one of those that are known, or limits of one's own. */
export function toKeepCaptionRules(
  received: unknown,
  profile: CaptionProfileName | CaptionProfile = 'netflix',
): Verdict {
  const transcript = transcriptOf(received, 'toKeepCaptionRules');
  const limits = typeof profile === 'string' ? CAPTION_PROFILES[profile] : profile;
  const cues = captionCues(transcript, { profile: limits });
  const violations = cueViolations(cues, limits);
  return verdict({
    pass: violations.length === 0,
    subject: counted(cues.length, 'caption'),
    claim: `keep the rules of ${typeof profile === 'string' ? profile : 'the profile'}`,
    found: `there ${violations.length === 1 ? 'is' : 'are'} ${counted(violations.length, 'violation')}`,
    details: () =>
      violations
        .slice(0, MAX_SHOWN)
        .map(({ cue: index, rule }) => {
          const { ts, endTs, lines } = cues[index]!;
          return `${rule}: ${shown(ts)} s to ${shown(endTs)} s "${lines.join(' / ')}"`;
        })
        .join('\n'),
  });
}
