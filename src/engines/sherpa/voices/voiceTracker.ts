import { createRecentAudio } from '../../../audio/sampleBuffers.ts';
import type { SpeakerTracker } from '../../diarizer.ts';
import type { PooledChannel } from '../sherpaPool.ts';
import { SAMPLE_RATE, type VoiceMethods } from '../tasks.ts';
import { createKnownVoices } from './knownVoices.ts';

/** Frames of recent audio that are kept. */
const KEPT_FRAMES = 60 * SAMPLE_RATE;
/** Frames of a piece, which is assumed to have one speaker. */
const PIECE_FRAMES = 3 * SAMPLE_RATE;

/** Tracks the speakers of a stream by their voices, over a channel that it releases when closed. */
export function createVoiceTracker(
  channel: PooledChannel<VoiceMethods>,
  speakersCount?: number,
): Omit<SpeakerTracker, typeof Symbol.asyncDispose> {
  const voices = createKnownVoices(speakersCount);
  const recent = createRecentAudio();
  /** Speaker numbers by voice, in the order of first use. */
  const numbers = new Map<number, number>();
  let now = 0;
  let last = 0;
  let asking: Promise<unknown> = Promise.resolve();

  async function mainVoice(audio: Int16Array): Promise<number | undefined> {
    const heard = new Map<number, number>();
    for (let at = 0; at < audio.length; at += PIECE_FRAMES) {
      const samples = audio.slice(at, at + PIECE_FRAMES);
      const direction = await channel.call('embed', [samples]);
      const voice = direction && voices.recognise(direction, samples.length / SAMPLE_RATE);
      if (voice !== undefined) heard.set(voice, (heard.get(voice) ?? 0) + samples.length);
    }
    return [...heard].sort(([, one], [, other]) => other - one)[0]?.[0];
  }

  async function speakerIn(audio: Int16Array): Promise<number> {
    const voice = await mainVoice(audio);
    if (voice === undefined) return last;
    last = numbers.get(voice) ?? numbers.size;
    numbers.set(voice, last);
    return last;
  }

  return {
    async write(samples) {
      recent.push(samples);
      recent.keep(KEPT_FRAMES);
      now += samples.length;
    },
    speakerDuring(startFrame, endFrame) {
      const audio = recent.last(Math.max(0, now - startFrame));
      const known = audio.subarray(0, Math.max(0, audio.length - Math.max(0, now - endFrame)));
      const answer = asking.then(() => speakerIn(known));
      asking = answer.catch(() => {});
      return answer;
    },
    close: () => channel.release(),
  };
}
