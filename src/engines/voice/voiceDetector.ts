import loadFvad from '@echogarden/fvad-wasm';

/** Sample rate of the audio that a voice detector takes, in Hz. */
export const VOICE_SAMPLE_RATE = 16_000;
/** Frames of a window: 10 ms. */
export const VOICE_WINDOW_FRAMES = VOICE_SAMPLE_RATE / 100;

/** Strictness, from 0 (classifies much as speech) to 3 (little). */
const MODE = 2;

/** A detector of speech in windows of audio. It adapts to the noise level: use one for each recording. */
export interface VoiceDetector extends Disposable {
  /**
   * Returns whether the next {@link VOICE_WINDOW_FRAMES} frames, mono at {@link VOICE_SAMPLE_RATE}, are
   * speech.
   */
  isVoice(window: Int16Array): boolean;
}

let loading: ReturnType<typeof loadFvad> | undefined;

/**
 * Creates the voice detector of WebRTC: Gaussian mixtures over six bands, some 2 µs a window.
 *
 * @example
 * using detector = await createVoiceDetector();
 * detector.isVoice(new Int16Array(160)); // false
 */
export async function createVoiceDetector(): Promise<VoiceDetector> {
  loading ??= loadFvad();
  const fvad = await loading;
  const instance = fvad._fvad_new();
  const samples = fvad._malloc(2 * VOICE_WINDOW_FRAMES);
  fvad._fvad_set_mode(instance, MODE);
  fvad._fvad_set_sample_rate(instance, VOICE_SAMPLE_RATE);
  let disposed = false;
  return {
    isVoice(window) {
      if (window.length !== VOICE_WINDOW_FRAMES || disposed) {
        throw new RangeError(`A window must have ${VOICE_WINDOW_FRAMES} frames, not ${window.length}.`);
      }
      fvad.HEAP16.set(window, samples / 2);
      return fvad._fvad_process(instance, samples, VOICE_WINDOW_FRAMES) === 1;
    },
    [Symbol.dispose]() {
      if (disposed) return;
      disposed = true;
      fvad._fvad_free(instance);
      fvad._free(samples);
    },
  };
}
