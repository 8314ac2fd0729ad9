import { toFloats } from '../../../audio/pcm/pcm.ts';
import { VOICE_SAMPLE_RATE, VOICE_WINDOW_FRAMES, type VoiceDetector } from '../../voice/voiceDetector.ts';

/** The detector decides on 512 frames at once, version 5 on no other number. */
const DECISION_FRAMES = 512;
/** Whoever asks smooths over time as he likes: here it is as little as can be. */
const LEAST_SECONDS = DECISION_FRAMES / VOICE_SAMPLE_RATE;
/** Audio of an utterance, which the library keeps, and copies again and again as it grows. */
const KEPT_SECONDS = 3;

/** Voice by a model of silero: what it says of a window is of the last {@link DECISION_FRAMES} that are whole. */
export function createSileroDetector(
  sherpa: typeof import('sherpa-onnx-node'),
  model: string,
): VoiceDetector {
  const sileroVad = {
    model,
    threshold: 0.5,
    minSilenceDuration: LEAST_SECONDS,
    minSpeechDuration: LEAST_SECONDS,
    windowSize: DECISION_FRAMES,
  };
  const vad = new sherpa.Vad(
    { sileroVad, sampleRate: VOICE_SAMPLE_RATE, numThreads: 1, provider: 'cpu', debug: 0 },
    2 * KEPT_SECONDS,
  );
  /** Of voice without an end. */
  let seconds = 0;
  function forgetUtterance(): void {
    vad.flush();
    while (!vad.isEmpty()) vad.pop();
    seconds = 0;
  }
  return {
    isVoice(window) {
      if (window.length !== VOICE_WINDOW_FRAMES) {
        throw new RangeError(`detect voice: wanted ${VOICE_WINDOW_FRAMES} frames, found ${window.length}`);
      }
      vad.acceptWaveform(toFloats(window));
      while (!vad.isEmpty()) vad.pop();
      const isVoice = vad.isDetected();
      seconds = isVoice ? seconds + VOICE_WINDOW_FRAMES / VOICE_SAMPLE_RATE : 0;
      // It notices at its next decision that the voice goes on.
      if (seconds >= KEPT_SECONDS) forgetUtterance();
      return isVoice;
    },
    reset() {
      seconds = 0;
      vad.reset();
    },
    // The library frees it with the object.
    [Symbol.dispose]() {},
  };
}
