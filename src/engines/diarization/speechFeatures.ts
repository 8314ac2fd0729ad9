import { VOICE_WINDOW_FRAMES, type VoiceDetector } from '../voice/voiceDetector.ts';
import { COEFFICIENTS, createMfcc, MFCC_FRAMES } from './mfcc.ts';

/** Windows of a chunk: a minute. */
export const CHUNK_WINDOWS = 6000;

/** Features of successive 10 ms windows. The last chunk is filled up to `SpeechFeatures.windows`. */
export interface FeatureChunk {
  /** {@link COEFFICIENTS} for each window. */
  readonly features: Float32Array;
  /** 1 for each window with voice. */
  readonly voice: Uint8Array;
}

/** Coefficients and voice of each 10 ms of samples, 19 MB an hour. */
export type SpeechFeatures = ReturnType<typeof createSpeechFeatures>;

export function createSpeechFeatures(detector: VoiceDetector) {
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
    /** Chunks by minute; forgotten ones are undefined. */
    chunks,
    /** Number of windows. */
    get windows() {
      return windows;
    },
    /** Takes mono samples at 16 kHz, in writes of any size. */
    write(samples: Int16Array) {
      frames += samples.length;
      write(samples);
    },
    /** Adds the windows at the end that still wait for samples. */
    finish() {
      const wanted = Math.floor(frames / VOICE_WINDOW_FRAMES);
      if (windows < wanted) write(new Int16Array(MFCC_FRAMES - VOICE_WINDOW_FRAMES));
      windows = Math.min(windows, wanted);
    },
    /** Frees the chunks that end before a window. */
    forgetBefore(window: number) {
      while ((forgotten + 1) * CHUNK_WINDOWS <= window && forgotten < chunks.length) {
        chunks[forgotten++] = undefined;
      }
    },
  };
}
