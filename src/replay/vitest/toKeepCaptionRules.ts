import { InvalidArgumentError } from '../../base/errors.ts';
import { counted } from '../../base/text.ts';
import { captionCues } from '../../transcript/cues/captionCues.ts';
import {
  CAPTION_PROFILES,
  type CaptionProfile,
  type CaptionProfileName,
} from '../../transcript/cues/captionProfile.ts';
import { cueViolations } from '../../transcript/cues/cueViolations.ts';
import { shown, transcriptOf, type Verdict, verdict } from './matcherInput.ts';

/** Options of the layout of captions, besides the profile. */
export interface CaptionOptions {
  /** Language code, for line breaks. Default `en`. */
  readonly language?: string;
}

/** Maximum number of listed captions; others are only counted. */
const MAX_SHOWN = 10;

/** Checks that a transcript, laid out as captions, follows a profile: a known one, or custom limits. */
export function toKeepCaptionRules(
  received: unknown,
  wanted: CaptionProfileName | CaptionProfile = 'netflix',
  { language }: CaptionOptions = {},
): Verdict {
  const profile = profileOf(wanted);
  const cues = captionCues(transcriptOf(received, 'toKeepCaptionRules'), { profile, language });
  const violations = cueViolations(cues, profile);
  return verdict({
    pass: violations.length === 0,
    subject: 'captions',
    claim: `keep the rules of ${typeof wanted === 'string' ? wanted : 'the profile'}`,
    found: `there ${violations.length === 1 ? 'is' : 'are'} ${counted(violations.length, 'violation')}`,
    details: () =>
      [...Map.groupBy(violations, ({ cue }) => cue)]
        .slice(0, MAX_SHOWN)
        .map(([index, broken]) => {
          const { ts, endTs, lines } = cues[index]!;
          const rules = broken.map(({ rule }) => rule).join(', ');
          return `${rules}: ${shown(ts)} s to ${shown(endTs)} s "${lines.join(' / ')}"`;
        })
        .join('\n'),
  });
}

function profileOf(profile: CaptionProfileName | CaptionProfile): CaptionProfile {
  if (typeof profile !== 'string') return profile;
  if (Object.hasOwn(CAPTION_PROFILES, profile)) return CAPTION_PROFILES[profile];
  const known = Object.keys(CAPTION_PROFILES).join(', ');
  throw new InvalidArgumentError(`Caption profile '${profile}' is not known (known: ${known}).`);
}
