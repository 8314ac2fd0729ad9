/** Amplifies quiet speech for a voice detector, whose models are those of speech at a usual level. */

/** Level of the loudest windows of speech at a usual level, as `decibelsOf` counts: 20 dB below full scale. */
const TARGET_DECIBELS = 70;
/** Limit of the gain: noise that is quieter than any speech stays quiet. */
const MAX_GAIN_DECIBELS = 36;
/** Level above the floor from which sound may be speech; noise stays within some decibels of its lowest window. */
const SPEECH_DECIBELS = 15;
/** Rise of the floor, and decay of the loudest level while there is speech, in dB a second. */
const ADAPTION_DECIBELS = 3;

/**
 * Creates a function that amplifies windows of audio by one slowly changing gain, never below 1. It follows the loudest window
 * of speech; silence does not change it, so that the noise of a pause is not raised.
 *
 * @param windowSeconds duration of each window; its level is in decibels
 */
export function createLeveller(windowSeconds: number): (window: Int16Array, level: number) => Int16Array {
  const change = ADAPTION_DECIBELS * windowSeconds;
  let floor = Number.POSITIVE_INFINITY;
  let loudest: number | undefined;
  return (window, level) => {
    floor = Math.min(level, floor + change);
    if (level > floor + SPEECH_DECIBELS) loudest = Math.max(level, (loudest ?? level) - change);
    const decibels = Math.min(MAX_GAIN_DECIBELS, TARGET_DECIBELS - (loudest ?? TARGET_DECIBELS));
    if (decibels <= 0) return window;
    const gain = 10 ** (decibels / 20);
    return window.map(sample => Math.max(-32_768, Math.min(32_767, Math.round(gain * sample))));
  };
}
