// @module-tag slow

import { beforeAll, describe, expect, test } from 'vitest';
import { createDiarizer } from '../../../src/engines/diarization/diarizer.ts';
import { createSpeechFeatures } from '../../../src/engines/diarization/speechFeatures.ts';
import type { SpeakerTurn } from '../../../src/engines/diarizer.ts';
import { createVoiceDetector } from '../../../src/engines/voice/voiceDetector.ts';
import { childrenWith } from '../../helpers/childProcesses.ts';
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

test('all streams share a process, which is replaced after its death', { timeout: 120_000 }, async () => {
  await using diarizer = createDiarizer();
  const [one, other] = [await diarizer.track(), await diarizer.track()];
  const pids = childrenWith('diarization/child');
  expect(pids).toHaveLength(1);
  for (const pid of pids) process.kill(pid, 'SIGKILL');
  await expect(one.write(new Int16Array(160))).rejects.toMatchObject({ code: 'engine-failed' });
  await expect(other.speakerDuring(0, 160)).rejects.toMatchObject({ code: 'engine-failed' });
  await using next = await diarizer.track();
  await next.write(new Int16Array(160));
  expect(childrenWith('diarization/child')).not.toEqual(pids);
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
