import { createBlocks } from '../../audio/sampleBlocks.ts';
import { createVoiceDetector, VOICE_SAMPLE_RATE, VOICE_WINDOW_FRAMES } from '../voice/voiceDetector.ts';

/** Speech out of a recording. */
export interface SpeechPiece {
  /** Frames since the start of the recording. */
  readonly startFrame: number;
  readonly samples: Int16Array;
}

/** Cuts a recording into pieces that are short enough to be searched; long silence is in none. */
export interface PieceCutter extends Disposable {
  /** The pieces that are complete. */
  write(samples: Int16Array): readonly SpeechPiece[];
  /** The last of them. */
  end(): readonly SpeechPiece[];
}

const WINDOWS_PER_SECOND = VOICE_SAMPLE_RATE / VOICE_WINDOW_FRAMES;
/** No piece is longer; searching takes memory by the second. */
const MAX_WINDOWS = 20 * WINDOWS_PER_SECOND;
/** A piece ends before, at the first good pause. The decoder learns loudness and channel from each anew. */
const ENOUGH_WINDOWS = 6 * WINDOWS_PER_SECOND;
const PAUSE_WINDOWS = 0.3 * WINDOWS_PER_SECOND;
/** What is kept of silence around a voice: words begin and end softly. */
const MARGIN_WINDOWS = 0.4 * WINDOWS_PER_SECOND;

export async function createPieceCutter(): Promise<PieceCutter> {
  // Rather too much than too little is taken for speech: what is none is heard as such later.
  const detector = await createVoiceDetector({ mode: 1 });
  const held = new Int16Array(MAX_WINDOWS * VOICE_WINDOW_FRAMES);
  /** Of each window that is held. */
  let voices: boolean[] = [];
  /** Window of the recording with which they begin. */
  let firstWindow = 0;
  const windows = createBlocks(VOICE_WINDOW_FRAMES);

  function drop(windows: number): void {
    held.copyWithin(0, windows * VOICE_WINDOW_FRAMES, voices.length * VOICE_WINDOW_FRAMES);
    voices = voices.slice(windows);
    firstWindow += windows;
  }

  function take(windows: number): SpeechPiece[] {
    const hasVoice = voices.slice(0, windows).includes(true);
    const piece = {
      startFrame: firstWindow * VOICE_WINDOW_FRAMES,
      samples: held.slice(0, windows * VOICE_WINDOW_FRAMES),
    };
    drop(windows);
    return hasVoice ? [piece] : [];
  }

  function addWindow(window: Int16Array): SpeechPiece[] {
    held.set(window, voices.length * VOICE_WINDOW_FRAMES);
    voices.push(detector.isVoice(window));
    const lastVoice = voices.lastIndexOf(true);
    const quiet = voices.length - 1 - lastVoice;
    if (lastVoice < 0) {
      if (quiet > MARGIN_WINDOWS) drop(1);
      return [];
    }
    if (quiet >= 2 * MARGIN_WINDOWS) return take(voices.length - MARGIN_WINDOWS);
    if (voices.length >= ENOUGH_WINDOWS && quiet >= PAUSE_WINDOWS)
      return take(voices.length - PAUSE_WINDOWS / 2);
    return voices.length === MAX_WINDOWS ? take(softestCut(held, voices)) : [];
  }

  return {
    write(samples) {
      const pieces: SpeechPiece[] = [];
      windows.push(samples, window => pieces.push(...addWindow(window)));
      return pieces;
    },
    // What is less than a window holds no word.
    end: () => take(voices.length),
    [Symbol.dispose]: () => detector[Symbol.dispose](),
  };
}

/** Where to cut speech without a good pause: in the longest one there is, else where it is softest. */
function softestCut(samples: Int16Array, voices: readonly boolean[]): number {
  let longest = { from: 0, to: 0 };
  for (let from = ENOUGH_WINDOWS; from < voices.length; ) {
    let to = from;
    while (to < voices.length && !voices[to]) to++;
    if (to - from > longest.to - longest.from) longest = { from, to };
    from = to + 1;
  }
  if (longest.to > longest.from) return Math.ceil((longest.from + longest.to) / 2);
  let softest = { at: voices.length, energy: Number.POSITIVE_INFINITY };
  for (let at = ENOUGH_WINDOWS; at < voices.length; at++) {
    const energy = energyOf(samples.subarray(at * VOICE_WINDOW_FRAMES, (at + 1) * VOICE_WINDOW_FRAMES));
    if (energy < softest.energy) softest = { at, energy };
  }
  return softest.at;
}

function energyOf(samples: Int16Array): number {
  return samples.reduce((sum, sample) => sum + sample * sample, 0);
}
