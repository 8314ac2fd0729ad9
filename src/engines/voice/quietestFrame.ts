import { VOICE_SAMPLE_RATE as SAMPLE_RATE } from './voiceDetector.ts';

/** Frames over which loudness is averaged. */
const WINDOW_FRAMES = 0.1 * SAMPLE_RATE;
const STEP_FRAMES = 0.02 * SAMPLE_RATE;

/**
 * Returns the quietest frame of a range: the best place for a cut, probably between two words.
 *
 * @param from default: the middle of the audio
 * @param to default: its end
 */
export function quietestFrame(
  samples: Int16Array,
  from = Math.floor(samples.length / 2),
  to = samples.length,
): number {
  let best = to;
  let least = Infinity;
  for (let at = from; at + WINDOW_FRAMES <= to; at += STEP_FRAMES) {
    let energy = 0;
    for (let frame = at; frame < at + WINDOW_FRAMES; frame++) energy += samples[frame]! ** 2;
    if (energy >= least) continue;
    least = energy;
    best = at + WINDOW_FRAMES / 2;
  }
  return best;
}
