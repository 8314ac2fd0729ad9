/** Starts and ends of utterances in a stream. */
import { decibelsOf } from './decibels.ts';
import { createLevelGate } from './levelGate.ts';
import { createLeveller } from './leveller.ts';
import { VOICE_SAMPLE_RATE, VOICE_WINDOW_FRAMES, type VoiceDetector } from './voiceDetector.ts';

/** Seconds without voice that end an utterance, by default. */
export const DEFAULT_PAUSE_SECONDS = 0.5;
/** Audio before the first voice that is part of the utterance: words begin softly. */
export const PRE_ROLL_FRAMES = 0.3 * VOICE_SAMPLE_RATE;
/** Voice that begins an utterance; less is a click or a cough. */
export const ONSET_FRAMES = 0.1 * VOICE_SAMPLE_RATE;

/**
 * The start or end of an utterance, in frames at {@link VOICE_SAMPLE_RATE} since the first window.
 *
 * A start includes the pre-roll, but never frames of the utterance before. An end is the end of the last
 * voice, and is returned after the pause.
 */
export interface SpeechEdge {
  readonly type: 'start' | 'end';
  readonly frame: number;
}

/**
 * Creates a detector of utterances, which returns starts and ends in turn.
 *
 * Only sound above the noise of the last seconds counts as voice: neither noise nor hum nor a change of level
 * keeps an utterance open for longer than that.
 *
 * @param detector voice detector of the windows; the caller disposes of it
 * @param pauseSeconds seconds without voice that end an utterance
 * @example
 * using detector = await createVoiceDetector();
 * const endpointer = createEndpointer(detector, 0.8);
 * endpointer.process(new Int16Array(VOICE_WINDOW_FRAMES)); // undefined: nobody speaks
 */
export function createEndpointer(
  detector: Pick<VoiceDetector, 'isVoice'>,
  pauseSeconds: number = DEFAULT_PAUSE_SECONDS,
) {
  const pause = inFrames(pauseSeconds);
  const gate = createLevelGate(VOICE_WINDOW_FRAMES / VOICE_SAMPLE_RATE);
  const levelled = createLeveller(VOICE_WINDOW_FRAMES / VOICE_SAMPLE_RATE);
  let now = 0;
  let isSpeaking = false;
  /** Start of the current voice; within an utterance, of its first voice. */
  let voiceStart = 0;
  let voiceEnd = 0;
  let voiced = 0;
  let lastEnd = 0;

  function hear(isVoice: boolean): SpeechEdge | undefined {
    if (isVoice) {
      if (voiced === 0) voiceStart = now - VOICE_WINDOW_FRAMES;
      voiced += VOICE_WINDOW_FRAMES;
      voiceEnd = now;
      if (isSpeaking || voiced < ONSET_FRAMES) return undefined;
      isSpeaking = true;
      return { type: 'start', frame: Math.max(lastEnd, voiceStart - PRE_ROLL_FRAMES) };
    }
    // Voice too short for an utterance is forgotten after an equally long silence.
    if (!isSpeaking) {
      if (now - voiceEnd >= ONSET_FRAMES) voiced = 0;
      return undefined;
    }
    return now - voiceEnd < pause ? undefined : end();
  }

  function end(): SpeechEdge | undefined {
    if (!isSpeaking) return undefined;
    isSpeaking = false;
    voiced = 0;
    lastEnd = voiceEnd;
    return { type: 'end', frame: voiceEnd };
  }

  return {
    /** End of the last voice so far, in frames. */
    get voiceEnd() {
      return voiceEnd;
    },
    /** Takes the next {@link VOICE_WINDOW_FRAMES} frames. Returns the edge that they complete. */
    process(window: Int16Array) {
      now += VOICE_WINDOW_FRAMES;
      // Gate and detector both adapt with every window.
      const level = decibelsOf(window);
      const isRaised = gate.isRaised(level);
      return hear(detector.isVoice(levelled(window, level)) && isRaised);
    },
    /** Ends the utterance in progress without its pause: the next voice may begin another one. Returns its end. */
    end,
  };
}

/** Returns a duration in whole windows, at least one. */
function inFrames(seconds: number): number {
  const windows = Math.round((seconds * VOICE_SAMPLE_RATE) / VOICE_WINDOW_FRAMES);
  return Math.max(1, windows) * VOICE_WINDOW_FRAMES;
}
