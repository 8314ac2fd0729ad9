/** The speakers of a live stream, by their voices. */
import { createRecentAudio } from '../../../audio/sampleBuffers.ts';
import type { TrackingMethods } from '../../diarization/processDiarizer.ts';
import { SAMPLE_RATE } from '../tasks.ts';
import { createKnownVoices } from './knownVoices.ts';

/** Frames of recent audio that are kept. */
const KEPT_FRAMES = 60 * SAMPLE_RATE;
/** Frames of a piece, which is assumed to have one speaker. */
const PIECE_FRAMES = 3 * SAMPLE_RATE;

/** Tracks the speakers of a stream, given the direction of the voice in some samples. */
export function createVoiceTracker(
  directionIn: (samples: Int16Array) => Float32Array | undefined,
): TrackingMethods {
  let voices = createKnownVoices();
  const recent = createRecentAudio();
  /** Speaker numbers by voice, in the order of first use. */
  const numbers = new Map<number, number>();
  let now = 0;
  let last = 0;

  function mainVoice(audio: Int16Array): number | undefined {
    const heard = new Map<number, number>();
    for (let at = 0; at < audio.length; at += PIECE_FRAMES) {
      const samples = audio.subarray(at, at + PIECE_FRAMES);
      const direction = directionIn(samples);
      const voice = direction && voices.recognise(direction, samples.length / SAMPLE_RATE);
      if (voice !== undefined) heard.set(voice, (heard.get(voice) ?? 0) + samples.length);
    }
    const [main] = [...heard].sort(([, one], [, other]) => other - one);
    return main?.[0];
  }

  return {
    start(speakersCount) {
      voices = createKnownVoices(speakersCount);
    },
    write(samples) {
      recent.push(samples);
      recent.keep(KEPT_FRAMES);
      now += samples.length;
    },
    speakerDuring(startFrame, endFrame) {
      const audio = recent.last(Math.max(0, now - startFrame));
      const spoken = audio.subarray(0, Math.max(0, audio.length - Math.max(0, now - endFrame)));
      const voice = mainVoice(spoken);
      if (voice === undefined) return last;
      last = numbers.get(voice) ?? numbers.size;
      numbers.set(voice, last);
      return last;
    },
  };
}
