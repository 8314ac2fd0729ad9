import { toFloats } from '../../../audio/pcm/pcm.ts';
import { VOICE_SAMPLE_RATE, VOICE_WINDOW_FRAMES, type VoiceDetector } from '../../voice/voiceDetector.ts';

/** Frames of a decision; version 5 takes no other number. */
const DECISION_FRAMES = 512;
/** Shortest smoothing that the library accepts; callers smooth the decisions themselves. */
const LEAST_SECONDS = DECISION_FRAMES / VOICE_SAMPLE_RATE;
/** Seconds of an utterance that the library may keep: it copies all of it again as it grows. */
const KEPT_SECONDS = 3;

/**
 * Creates a voice detector with a Silero model. The result of a window is that of the last whole {@link
 * DECISION_FRAMES}.
 */
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
  /** Seconds of uninterrupted voice. */
  let seconds = 0;
  function forgetUtterance(): void {
    vad.flush();
    while (!vad.isEmpty()) vad.pop();
    seconds = 0;
  }
  return {
    isVoice(window) {
      if (window.length !== VOICE_WINDOW_FRAMES) {
        throw new RangeError(`A window must have ${VOICE_WINDOW_FRAMES} frames, not ${window.length}.`);
      }
      vad.acceptWaveform(toFloats(window));
      while (!vad.isEmpty()) vad.pop();
      const isVoice = vad.isDetected();
      seconds = isVoice ? seconds + VOICE_WINDOW_FRAMES / VOICE_SAMPLE_RATE : 0;
      // The next decision detects the continued voice.
      if (seconds >= KEPT_SECONDS) forgetUtterance();
      return isVoice;
    },
    // The library frees the detector with its object.
    [Symbol.dispose]() {},
  };
}
