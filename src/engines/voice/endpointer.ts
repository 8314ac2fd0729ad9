import { createLevelGate } from './levelGate.ts';
import { VOICE_SAMPLE_RATE, VOICE_WINDOW_FRAMES, type VoiceDetector } from './voiceDetector.ts';

export interface EndpointerOptions {
  /** Judges each window; it is the caller's to dispose. */
  readonly detector: Pick<VoiceDetector, 'isVoice' | 'reset'>;
  /** Seconds without voice that end an utterance. */
  readonly pauseSeconds?: number;
  /** Seconds before the first voice that belong to the utterance: words begin softly. */
  readonly preRollSeconds?: number;
  /** Seconds of voice that begin an utterance; less is a click or a cough. */
  readonly onsetSeconds?: number;
}

export const DEFAULT_ENDPOINTER_OPTIONS = {
  pauseSeconds: 0.5,
  preRollSeconds: 0.3,
  onsetSeconds: 0.1,
} as const;

/**
 * Where speech begins or has ended, in frames since the first window at {@link VOICE_SAMPLE_RATE}.
 *
 * A start lies back by the pre-roll, never before the end of the utterance before it; an end is that of the last
 * voice, and comes when the pause after it is over.
 */
export interface SpeechEdge {
  readonly type: 'start' | 'end';
  readonly frame: number;
}

/** Finds utterances in a stream. */
export interface Endpointer {
  /** Whether an utterance is open, its pause included. */
  readonly isSpeaking: boolean;
  /** Where the last voice ended so far, in frames. */
  readonly voiceEnd: number;
  /** Takes the next {@link VOICE_WINDOW_FRAMES} frames; an edge where they begin or end an utterance. */
  process(window: Int16Array): SpeechEdge | undefined;
  /** Begins anew at frame 0, with nothing learned. */
  reset(): void;
}

/**
 * Cuts a stream into utterances by the voice in it: a start and an end by turns, in order.
 *
 * Only what stands out from the noise of the last seconds counts as voice: noise, hum and changes of the level keep no
 * utterance open for longer than that.
 *
 * @example
 * using detector = await createVoiceDetector();
 * const endpointer = createEndpointer({ detector, pauseSeconds: 0.8 });
 * endpointer.process(new Int16Array(VOICE_WINDOW_FRAMES)); // undefined: nobody speaks
 */
export function createEndpointer(options: EndpointerOptions): Endpointer {
  const { detector, pauseSeconds, preRollSeconds, onsetSeconds } = {
    ...DEFAULT_ENDPOINTER_OPTIONS,
    ...options,
  };
  const [pause, preRoll, onset] = [pauseSeconds, preRollSeconds, onsetSeconds].map(inFrames) as [
    number,
    number,
    number,
  ];
  const gate = createLevelGate(VOICE_WINDOW_FRAMES / VOICE_SAMPLE_RATE);
  let now = 0;
  let isSpeaking = false;
  /** Of the voice that goes on without a pause; in an utterance the whole of it. */
  let voiceStart = 0;
  let voiceEnd = 0;
  let voiced = 0;
  let lastEnd = 0;

  function hear(isVoice: boolean): SpeechEdge | undefined {
    if (isVoice) {
      if (voiced === 0) voiceStart = now - VOICE_WINDOW_FRAMES;
      voiced += VOICE_WINDOW_FRAMES;
      voiceEnd = now;
      if (isSpeaking || voiced < onset) return undefined;
      isSpeaking = true;
      return { type: 'start', frame: Math.max(lastEnd, voiceStart - preRoll) };
    }
    // Voice that has not begun an utterance is forgotten after as much of quiet.
    if (!isSpeaking) {
      if (now - voiceEnd >= onset) voiced = 0;
      return undefined;
    }
    if (now - voiceEnd < pause) return undefined;
    isSpeaking = false;
    voiced = 0;
    lastEnd = voiceEnd;
    return { type: 'end', frame: voiceEnd };
  }

  return {
    get isSpeaking() {
      return isSpeaking;
    },
    get voiceEnd() {
      return voiceEnd;
    },
    process(window) {
      now += VOICE_WINDOW_FRAMES;
      // Both learn from every window.
      const isRaised = gate.isRaised(window);
      return hear(detector.isVoice(window) && isRaised);
    },
    reset() {
      detector.reset();
      gate.reset();
      [now, voiceStart, voiceEnd, voiced, lastEnd] = [0, 0, 0, 0, 0];
      isSpeaking = false;
    },
  };
}

/** Whole windows, at least one. */
function inFrames(seconds: number): number {
  const windows = Math.round((seconds * VOICE_SAMPLE_RATE) / VOICE_WINDOW_FRAMES);
  return Math.max(1, windows) * VOICE_WINDOW_FRAMES;
}
