// @module-tag slow

import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { RxscribeError } from '../../../src/base/errors.ts';
import {
  createDiarizer,
  type SpeakerThread,
  startSpeakerThread,
} from '../../../src/engines/diarization/diarizer.ts';
import { createSpeechFeatures } from '../../../src/engines/diarization/speechFeatures.ts';
import type { SpeakerTurn } from '../../../src/engines/diarizer.ts';
import { createVoiceDetector } from '../../../src/engines/voice/voiceDetector.ts';
import { readSampleSpeech } from '../../helpers/sampleSpeech.ts';
import { diarizerContract } from '../diarizerContract.ts';
import { diarizationErrors } from './diarizationErrors.ts';
import { twoVoices } from './twoVoices.ts';

diarizerContract('the embedded diarizer', { create: createDiarizer, speech: () => twoVoices().samples });

const MINUTE = 60 * 16_000;

function confusion(truth: readonly SpeakerTurn[], found: readonly SpeakerTurn[]): number {
  const { confused, spoken } = diarizationErrors(truth, found);
  return confused / spoken;
}

describe('the embedded diarizer', { timeout: 120_000 }, () => {
  const { samples, truth } = twoVoices();
  const diarizer = createDiarizer();
  beforeAll(() => () => diarizer.close());

  test('separates two voices without knowing their number', async () => {
    const turns = await diarizer.diarize([samples]);
    expect(new Set(turns.map(({ speaker }) => speaker)).size).toBe(2);
    expect(confusion(truth, turns)).toBeLessThan(0.1);
  });

  test('finds one speaker in the speech of one reader', async () => {
    const turns = await diarizer.diarize([readSampleSpeech('sense-and-sensibility')]);
    expect(new Set(turns.map(({ speaker }) => speaker))).toEqual(new Set([0]));
  });

  test('separates two voices of a stream, turn by turn', async () => {
    await using tracker = await diarizer.track();
    const said: SpeakerTurn[] = [];
    let written = 0;
    for (const turn of truth) {
      await tracker.write(samples.subarray(written, turn.endFrame));
      written = turn.endFrame;
      const speaker = await tracker.speakerDuring(turn.startFrame, turn.endFrame);
      said.push({ ...turn, speaker });
    }
    expect(confusion(truth, said)).toBeLessThan(0.2);
  });
});

describe('the thread of all streams', { timeout: 120_000 }, () => {
  const threads: SpeakerThread[] = [];
  const diarizer = createDiarizer({
    startThread() {
      threads.push(startSpeakerThread());
      return threads.at(-1)!;
    },
  });
  afterAll(() => diarizer.close());

  test('is one, and is replaced after its death', async () => {
    const [one, other] = [await diarizer.track(), await diarizer.track()];
    expect(threads).toHaveLength(1);
    await threads[0]!.kill(new RxscribeError('engine-failed', 'the thread ended'));
    await expect(one.write(new Int16Array(160))).rejects.toThrow('the thread ended');
    await expect(other.speakerDuring(0, 160)).rejects.toThrow('the thread ended');
    await using next = await diarizer.track();
    await next.write(new Int16Array(160));
    expect(threads).toHaveLength(2);
  });
});

test('the audio of a stream is forgotten by the minute', async () => {
  using detector = await createVoiceDetector();
  const features = createSpeechFeatures(detector);
  const minute = new Int16Array(MINUTE);
  for (let minutes = 0; minutes < 5; minutes++) {
    features.write(minute);
    features.forgetBefore(features.windows - 6000);
  }
  expect(features.windows).toBeGreaterThan(29_000);
  expect(features.chunks.filter(Boolean).length).toBeLessThanOrEqual(2);
});
