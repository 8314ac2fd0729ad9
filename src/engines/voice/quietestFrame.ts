import { VOICE_SAMPLE_RATE as SAMPLE_RATE } from './voiceDetector.ts';

/** Loudness is compared over this long. */
const WINDOW_FRAMES = 0.1 * SAMPLE_RATE;
const STEP_FRAMES = 0.02 * SAMPLE_RATE;

/** Where the second half of some audio is quietest: the best place to cut, most likely between two words. */
export function quietestFrame(samples: Int16Array): number {
  let best = samples.length;
  let least = Infinity;
  const from = Math.floor(samples.length / 2);
  for (let at = from; at + WINDOW_FRAMES <= samples.length; at += STEP_FRAMES) {
    let energy = 0;
    for (let frame = at; frame < at + WINDOW_FRAMES; frame++) energy += samples[frame]! ** 2;
    if (energy >= least) continue;
    least = energy;
    best = at + WINDOW_FRAMES / 2;
  }
  return best;
}
