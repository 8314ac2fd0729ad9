import loadFvad from '@echogarden/fvad-wasm';

/** Rate of the audio of a voice detector, in Hz. */
export const VOICE_SAMPLE_RATE = 16_000;
/** Frames that are judged at once: 10 ms. */
export const VOICE_WINDOW_FRAMES = VOICE_SAMPLE_RATE / 100;

/** How sure it must be that somebody speaks, from 0 (takes much for speech) to 3 (takes little). */
export type VoiceMode = 0 | 1 | 2 | 3;

/** Tells speech from other sound, a window at a time. It learns the level of the noise: use one for each recording. */
export interface VoiceDetector extends Disposable {
  /** Whether somebody speaks in the next {@link VOICE_WINDOW_FRAMES} frames, mono at {@link VOICE_SAMPLE_RATE}. */
  isVoice(window: Int16Array): boolean;
  /** Forgets all that it heard. */
  reset(): void;
}

let loading: ReturnType<typeof loadFvad> | undefined;

/**
 * The voice detector of WebRTC: Gaussian mixtures over six bands, some 2 µs a window.
 *
 * @example
 * using detector = await createVoiceDetector();
 * detector.isVoice(new Int16Array(VOICE_WINDOW_FRAMES)); // false
 */
export async function createVoiceDetector({ mode = 2 }: { mode?: VoiceMode } = {}): Promise<VoiceDetector> {
  loading ??= loadFvad();
  const fvad = await loading;
  const instance = fvad._fvad_new();
  const samples = fvad._malloc(2 * VOICE_WINDOW_FRAMES);
  const prepare = () => {
    fvad._fvad_reset(instance);
    fvad._fvad_set_mode(instance, mode);
    fvad._fvad_set_sample_rate(instance, VOICE_SAMPLE_RATE);
  };
  prepare();
  let disposed = false;
  return {
    isVoice(window) {
      if (window.length !== VOICE_WINDOW_FRAMES || disposed) {
        throw new RangeError(`detect voice: wanted ${VOICE_WINDOW_FRAMES} frames, found ${window.length}`);
      }
      fvad.HEAP16.set(window, samples / 2);
      return fvad._fvad_process(instance, samples, VOICE_WINDOW_FRAMES) === 1;
    },
    reset: prepare,
    [Symbol.dispose]() {
      if (disposed) return;
      disposed = true;
      fvad._fvad_free(instance);
      fvad._free(samples);
    },
  };
}
