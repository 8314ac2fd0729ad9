import type { SpeakerTurn } from '../diarizer.ts';
import { createVoiceDetector, VOICE_WINDOW_FRAMES } from '../voice/voiceDetector.ts';
import { blocksOf } from './blocks.ts';
import { createOnlineSpeakers } from './onlineSpeakers.ts';
import { speakerTurns } from './speakerTurns.ts';
import { createSpeechFeatures } from './speechFeatures.ts';
import { speechRegions } from './speechRegions.ts';

/** Windows that a tracker remembers at least: a minute. */
const REMEMBERED_WINDOWS = 6000;

/** What the thread does for one recording or stream, synchronously. */
export interface SpeakerWork extends Disposable {
  write(samples: Int16Array): void;
  /** Of the whole recording, once nothing more comes. */
  turns(): readonly SpeakerTurn[];
  speakerDuring(startFrame: number, endFrame: number): number;
}

export interface SpeakerWorkOptions {
  readonly speakersCount?: number;
  /** Whether it is for a stream, of which it remembers only the end. */
  readonly tracks: boolean;
}

export async function createSpeakerWork({ speakersCount, tracks }: SpeakerWorkOptions): Promise<SpeakerWork> {
  const detector = await createVoiceDetector();
  const features = createSpeechFeatures(detector);
  const speakers = createOnlineSpeakers(speakersCount);
  return {
    write(samples) {
      features.write(samples);
      if (tracks) features.forgetBefore(features.windows - REMEMBERED_WINDOWS);
    },
    turns() {
      features.finish();
      return speakerTurns(features, speakersCount);
    },
    speakerDuring(startFrame, endFrame) {
      const from = Math.max(0, Math.floor(startFrame / VOICE_WINDOW_FRAMES));
      const to = Math.min(features.windows, Math.ceil(endFrame / VOICE_WINDOW_FRAMES));
      return speakers.speakerOf(blocksOf(features, speechRegions(features, from, to)));
    },
    [Symbol.dispose]: () => detector[Symbol.dispose](),
  };
}
