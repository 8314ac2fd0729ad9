import type { Clock } from '../../base/clock.ts';
import type { CaptionTrack } from '../../captions/hub/captionTrack.ts';
import { OutputFeed } from '../../captions/hub/outputFeed.ts';
import type { CaptionOutput } from '../../captions/outputs/captionOutput.ts';
import { CAPTION_PROFILES } from '../../transcript/cues/captionProfile.ts';
import type { LiveOutputName, OfOutput, OutputFlags } from '../flags/captionOptions.ts';

/** Flags of the outputs of one text. */
export type TrackFlags = Pick<OutputFlags, 'profile' | 'delay' | 'display'> & { readonly language: string };

/** Returns a track with its outputs, each with its own delay and display. */
export function captionTrack(
  name: string,
  outputs: readonly CaptionOutput[],
  { profile, delay, display, language, clock }: TrackFlags & { readonly clock: Clock },
): Omit<CaptionTrack, 'hook'> {
  const ofOutput = <Value>(settings: readonly OfOutput<Value>[], output: string) =>
    settings.findLast(setting => setting.output === (output as LiveOutputName))?.value;
  const feeds = outputs.map(
    output =>
      new OutputFeed({
        output,
        delayMs: (ofOutput(delay, output.name) ?? 0) * 1000,
        display: ofOutput(display, output.name),
        clock,
      }),
  );
  return { name, language, profile: CAPTION_PROFILES[profile], feeds };
}
