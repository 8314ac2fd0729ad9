import { VOICE_WINDOW_FRAMES, type VoiceDetector } from '../voice/voiceDetector.ts';
import { COEFFICIENTS, createMfcc, MFCC_FRAMES } from './mfcc.ts';

/** Windows that are kept together: a minute. */
export const CHUNK_WINDOWS = 6000;

/** Windows of 10 ms that follow each other; those of the last chunk come up to the number that there are. */
export interface FeatureChunk {
  /** {@link COEFFICIENTS} a window. */
  readonly features: Float32Array;
  /** 1 where a window is heard as voice. */
  readonly voice: Uint8Array;
}

/** Turns samples into what is heard in each 10 ms of them: coefficients and voice, 19 MB an hour. */
export interface SpeechFeatures {
  /** By minute; those that were forgotten are undefined. */
  readonly chunks: readonly (FeatureChunk | undefined)[];
  /** How many windows there are. */
  readonly windows: number;
  /** Takes mono samples at 16 kHz; it does not matter how they are cut. */
  write(samples: Int16Array): void;
  /** Gives the windows at the end that what comes next would have completed. */
  finish(): void;
  /** Frees the chunks that end before a window. */
  forgetBefore(window: number): void;
}

export function createSpeechFeatures(detector: VoiceDetector): SpeechFeatures {
  const mfcc = createMfcc();
  const chunks: (FeatureChunk | undefined)[] = [];
  const pending = new Int16Array(MFCC_FRAMES);
  let filled = 0;
  let windows = 0;
  let frames = 0;
  let forgotten = 0;

  function add(): void {
    const at = windows % CHUNK_WINDOWS;
    if (at === 0) {
      chunks.push({
        features: new Float32Array(CHUNK_WINDOWS * COEFFICIENTS),
        voice: new Uint8Array(CHUNK_WINDOWS),
      });
    }
    const { features, voice } = chunks.at(-1)!;
    mfcc(pending, features.subarray(at * COEFFICIENTS, (at + 1) * COEFFICIENTS));
    voice[at] = detector.isVoice(pending.subarray(0, VOICE_WINDOW_FRAMES)) ? 1 : 0;
    windows++;
    pending.copyWithin(0, VOICE_WINDOW_FRAMES);
    filled -= VOICE_WINDOW_FRAMES;
  }

  function write(samples: Int16Array): void {
    for (let at = 0; at < samples.length; ) {
      const piece = samples.subarray(at, at + MFCC_FRAMES - filled);
      pending.set(piece, filled);
      filled += piece.length;
      at += piece.length;
      if (filled === MFCC_FRAMES) add();
    }
  }

  return {
    chunks,
    get windows() {
      return windows;
    },
    write(samples) {
      frames += samples.length;
      write(samples);
    },
    finish() {
      const wanted = Math.floor(frames / VOICE_WINDOW_FRAMES);
      if (windows < wanted) write(new Int16Array(MFCC_FRAMES - VOICE_WINDOW_FRAMES));
      windows = Math.min(windows, wanted);
    },
    forgetBefore(window) {
      while ((forgotten + 1) * CHUNK_WINDOWS <= window && forgotten < chunks.length) {
        chunks[forgotten++] = undefined;
      }
    },
  };
}
