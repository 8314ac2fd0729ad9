import { Observable } from 'rxjs';
import type { AudioBlock } from '../../../../src/audio/format/format.ts';
import { toFloats } from '../../../../src/audio/pcm/pcm.ts';
import { delay, systemClock } from '../../../../src/base/clock.ts';
import type { Random } from '../../../../src/base/seeded.ts';
import { joined, silence } from '../../../helpers/sampleSpeech.ts';
import { samplesOf, speechRecordings } from '../../../helpers/speechRecordings.ts';

export const SAMPLE_RATE = 16_000;

/** Between two recordings: enough for a recogniser to end its utterance. */
const PAUSE_SECONDS = 0.7;

/** Recordings one after the other. */
export interface LiveSpeech {
  readonly samples: Int16Array;
  readonly reference: readonly string[];
}

/** Joins the recordings in random order, with pauses between. */
export function shuffledSpeech(random: Random): LiveSpeech {
  const recordings = speechRecordings()
    .map(recording => ({ recording, order: random() }))
    .toSorted((one, other) => one.order - other.order)
    .map(({ recording }) => recording);
  return {
    samples: joined(...recordings.flatMap(one => [samplesOf(one), silence(PAUSE_SECONDS)])),
    reference: recordings.flatMap(({ reference }) => reference),
  };
}

/** Calls back with the samples of each so many frames when a microphone would have them. */
export async function playLive(
  samples: Int16Array,
  blockFrames: number,
  onBlock: (block: Int16Array, startFrame: number) => void,
): Promise<void> {
  const startMs = systemClock.now();
  for (let startFrame = 0; startFrame < samples.length; startFrame += blockFrames) {
    const block = samples.subarray(startFrame, startFrame + blockFrames);
    const dueMs = startMs + ((startFrame + block.length) / SAMPLE_RATE) * 1000;
    await delay(Math.max(0, dueMs - systemClock.now()));
    onBlock(block, startFrame);
  }
}

/** Live audio as `transcribe` takes it. */
export function liveBlocks(samples: Int16Array): Observable<AudioBlock> {
  return new Observable(subscriber => {
    playLive(samples, SAMPLE_RATE / 10, (block, startFrame) =>
      subscriber.next({ startFrame, sampleRate: SAMPLE_RATE, channels: 1, samples: toFloats(block) }),
    ).then(
      () => subscriber.complete(),
      error => subscriber.error(error),
    );
  });
}
