/** The beginning of the speech in audio. */
import { withAbort } from '../../base/wait/withTimeout.ts';
import { audioBlocks } from './audioBlocks.ts';
import { VOICE_WINDOW_FRAMES, type VoiceDetector } from './voiceDetector.ts';

/** Windows of 10 ms kept around voice, so that words are not cut. */
const MARGIN_WINDOWS = 20;

export interface SpeechLimits {
  readonly maxSeconds: number;
  readonly signal?: AbortSignal;
}

export interface Speech {
  /** The speech with short margins, mono at 16 kHz. */
  readonly samples: Int16Array;
  /** Seconds of voice, without the margins. */
  readonly voicedSeconds: number;
}

/**
 * Returns the first seconds of speech in audio, and reads no further than needed.
 *
 * @throws the signal's reason, even while no audio comes; the error of the audio
 */
export async function collectSpeech(
  audio: AsyncIterable<Int16Array> | Iterable<Int16Array>,
  detector: VoiceDetector,
  limits: SpeechLimits,
): Promise<Speech> {
  return withAbort(collect(audio, detector, limits), limits.signal);
}

async function collect(
  audio: AsyncIterable<Int16Array> | Iterable<Int16Array>,
  detector: VoiceDetector,
  { maxSeconds, signal }: SpeechLimits,
): Promise<Speech> {
  const kept = new Int16Array(maxSeconds * 100 * VOICE_WINDOW_FRAMES);
  const before: Int16Array[] = [];
  let [length, voiced, margin] = [0, 0, 0];
  const keep = (window: Int16Array) => {
    if (length === kept.length) return;
    kept.set(window, length);
    length += window.length;
  };
  for await (const window of audioBlocks(audio, VOICE_WINDOW_FRAMES)) {
    signal?.throwIfAborted();
    // The end of the audio is no whole window.
    if (window.length < VOICE_WINDOW_FRAMES) break;
    if (detector.isVoice(window)) {
      voiced++;
      margin = MARGIN_WINDOWS;
      for (const earlier of before.splice(0)) keep(earlier);
      keep(window);
    } else if (margin-- > 0) keep(window);
    else if (before.push(window) > MARGIN_WINDOWS) before.shift();
    if (length === kept.length) break;
  }
  signal?.throwIfAborted();
  return { samples: kept.slice(0, length), voicedSeconds: voiced / 100 };
}
