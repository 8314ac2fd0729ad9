/** The process that diarizes: a long recording takes minutes of blocking work. */
import { serveWork } from '../process/serveWork.ts';
import { createVoiceDetector, VOICE_WINDOW_FRAMES } from '../voice/voiceDetector.ts';
import { blocksOf, speechRegions } from './blocks.ts';
import { createOnlineSpeakers } from './onlineSpeakers.ts';
import type { RecordingMethods, TrackingMethods } from './processDiarizer.ts';
import { speakerTurns } from './speakerTurns.ts';
import { createSpeechFeatures } from './speechFeatures.ts';

export interface SpeakerSetup {
  /** True for a stream, whose early audio is forgotten. */
  readonly tracks: boolean;
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
