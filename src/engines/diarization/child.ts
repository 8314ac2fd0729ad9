/** The thread that diarizes: a long recording takes minutes of blocking work. */
import type { SpeakerTurn } from '../diarizer.ts';
import { serveWork } from '../process/serveWork.ts';
import { createVoiceDetector, VOICE_WINDOW_FRAMES } from '../voice/voiceDetector.ts';
import { blocksOf, speechRegions } from './blocks.ts';
import { createOnlineSpeakers } from './onlineSpeakers.ts';
import { speakerTurns } from './speakerTurns.ts';
import { createSpeechFeatures } from './speechFeatures.ts';

export interface SpeakerWorkOptions {
  readonly speakersCount?: number;
  /** True for a stream, of which only the end is remembered. */
  readonly tracks: boolean;
}

/** Methods for one recording or stream. `open` is first. */
export interface SpeakerMethods {
  open(options: SpeakerWorkOptions): Promise<void>;
  write(samples: Int16Array): void;
  /** Returns the turns of the whole recording, after its last write. */
  turns(): readonly SpeakerTurn[];
  speakerDuring(startFrame: number, endFrame: number): number;
}

/** Windows of a stream that are remembered: a minute. */
const REMEMBERED_WINDOWS = 6000;

serveWork<void, SpeakerMethods>(() => () => {
  let work: Awaited<ReturnType<typeof createSpeakerWork>> | undefined;
  const opened = () => {
    if (!work) throw new Error('nothing is open');
    return work;
  };
  return {
    async open(options) {
      work = await createSpeakerWork(options);
    },
    write: samples => opened().write(samples),
    turns: () => opened().turns(),
    speakerDuring: (startFrame, endFrame) => opened().speakerDuring(startFrame, endFrame),
    [Symbol.dispose]: () => work?.[Symbol.dispose](),
  };
});

async function createSpeakerWork({
  speakersCount,
  tracks,
}: SpeakerWorkOptions): Promise<Omit<SpeakerMethods, 'open'> & Disposable> {
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
