import { InvalidArgumentError } from '../../base/errors.ts';
import { counted } from '../../base/text.ts';
import {
  CAPTION_PROFILES,
  type CaptionProfile,
  type CaptionProfileName,
} from '../../transcript/cues/captionProfile.ts';
import { brokenCues, type CaptionLook } from '../measure/brokenCues.ts';
import { transcriptOf } from './matcherInput.ts';
import { shown, type Verdict, verdict } from './verdict.ts';

/** Options of the layout of captions, besides the profile. */
export type CaptionOptions = Pick<CaptionLook, 'language'>;

/** Maximum number of listed captions; others are only counted. */
const MAX_SHOWN = 10;

/** Checks that a transcript, laid out as captions, follows a profile: a known one, or custom limits. */
export function toKeepCaptionRules(
  received: unknown,
  profile: CaptionProfileName | CaptionProfile = 'netflix',
  { language }: CaptionOptions = {},
): Verdict {
  checkProfile(profile);
  const transcript = transcriptOf(received, 'toKeepCaptionRules');
  const broken = brokenCues(transcript, { profile, language });
  const violations = broken.reduce((sum, { rules }) => sum + rules.length, 0);
  return verdict({
    pass: violations === 0,
    subject: 'captions',
    claim: `keep the rules of ${typeof profile === 'string' ? profile : 'the profile'}`,
    found: `there ${violations === 1 ? 'is' : 'are'} ${counted(violations, 'violation')}`,
    details: () =>
      broken
        .slice(0, MAX_SHOWN)
        .map(({ ts, endTs, text, rules }) => {
          const lines = text.replaceAll('\n', ' / ');
          return `${rules.join(', ')}: ${shown(ts)} s to ${shown(endTs)} s "${lines}"`;
        })
        .join('\n'),
  });
}

function checkProfile(profile: CaptionProfileName | CaptionProfile): void {
  if (typeof profile !== 'string' || Object.hasOwn(CAPTION_PROFILES, profile)) return;
  const known = Object.keys(CAPTION_PROFILES).join(', ');
  throw new InvalidArgumentError(`Caption profile '${profile}' is not known (known: ${known}).`);
}
