import { expect, test } from 'vitest';
import { createDiarizer } from '../../../src/engines/diarization/diarizer.ts';
import type { SpeakerTurn } from '../../../src/engines/diarizer.ts';
import { diarizationErrors } from '../../engines/diarization/diarizationErrors.ts';
import { twoVoices } from '../../engines/diarization/twoVoices.ts';
import { connectStream } from '../../helpers/streamClient.ts';
import { startTestService } from '../../helpers/testService.ts';

const RATE = 16_000;

test('the embedded diarizer separates two voices of a stream', {
  timeout: 120_000,
}, async () => {
  await using diarizer = createDiarizer();
  const service = await startTestService({ diarizer, limits: { stream: { stallMs: 100_000 } } });
  const client = connectStream(service, { enable_speaker_switch: true, max_segment_duration_seconds: 5 });
  await client.connected;
  const { samples, truth } = twoVoices();
  for (let at = 0; at < samples.length; at += RATE) client.send(samples.subarray(at, at + RATE));
  expect((await client.finish()).code).toBe(1000);
  const said = client.finals().map(({ ts, end_ts, speaker_id }): SpeakerTurn => {
    return { speaker: speaker_id!, startFrame: ts * RATE, endFrame: end_ts * RATE };
  });
  expect(new Set(said.map(({ speaker }) => speaker)).size).toBeGreaterThanOrEqual(2);
  // A final has one speaker, even when two share it: the scripted recogniser ends finals at long pauses only.
  const { confused, spoken } = diarizationErrors(truth, said);
  expect(confused / spoken).toBeLessThan(0.3);
});
