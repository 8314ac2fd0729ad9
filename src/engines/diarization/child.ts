/** The process that diarizes: a long recording takes minutes of blocking work. */
import type { SpeakerTurn } from '../diarizer.ts';
import { serveWork } from '../process/serveWork.ts';
import { createVoiceDetector, VOICE_WINDOW_FRAMES } from '../voice/voiceDetector.ts';
import { blocksOf, speechRegions } from './blocks.ts';
import { createOnlineSpeakers } from './onlineSpeakers.ts';
import { speakerTurns } from './speakerTurns.ts';
import { createSpeechFeatures } from './speechFeatures.ts';

export interface SpeakerSetup {
  /** True for a stream, whose early audio is forgotten. */
  readonly tracks: boolean;
}

/** Methods of a process for one recording. */
export interface RecordingMethods {
  start(speakersCount?: number): void;
  write(samples: Int16Array): void;
  /** Returns the turns of the whole recording, after its last write. */
  turns(): readonly SpeakerTurn[];
}

/** Methods of a process for one stream. */
export interface TrackingMethods {
  start(speakersCount?: number): void;
  write(samples: Int16Array): void;
  /** As in a `SpeakerTracker`. */
  speakerDuring(startFrame: number, endFrame: number): number;
}

/** Windows of a stream that are remembered: a minute. */
const REMEMBERED_WINDOWS = 6000;

serveWork<SpeakerSetup, RecordingMethods & TrackingMethods>(({ tracks }) => async () => {
  const detector = await createVoiceDetector();
  const features = createSpeechFeatures(detector);
  let speakers = createOnlineSpeakers();
  let expected: number | undefined;
  return {
    start(speakersCount) {
      speakers = createOnlineSpeakers(speakersCount);
      expected = speakersCount;
    },
    write(samples) {
      features.write(samples);
      if (tracks) features.forgetBefore(features.windows - REMEMBERED_WINDOWS);
    },
    turns() {
      features.finish();
      return speakerTurns(features, expected);
    },
    speakerDuring(startFrame, endFrame) {
      const from = Math.max(0, Math.floor(startFrame / VOICE_WINDOW_FRAMES));
      const to = Math.min(features.windows, Math.ceil(endFrame / VOICE_WINDOW_FRAMES));
      return speakers.speakerOf(blocksOf(features, speechRegions(features, from, to)));
    },
    [Symbol.dispose]: () => detector[Symbol.dispose](),
  };
});
