import { describe, expect, test } from 'vitest';
import { RxscribeError } from '../../../src/base/errors.ts';
import { createDiarizer } from '../../../src/engines/diarization/diarizer.ts';
import type { Diarizer, SpeakerTurn } from '../../../src/engines/diarizer.ts';
import { diarizationErrors } from '../../engines/diarization/diarizationErrors.ts';
import { twoVoices } from '../../engines/diarization/twoVoices.ts';
import { createScriptedDiarizer } from '../../helpers/scriptedDiarizer.ts';
import { scriptedSpeech } from '../../helpers/scriptedRecognizer.ts';
import { connectedStream, connectStream, type StreamClient } from '../../helpers/streamClient.ts';
import { startTestService } from '../../helpers/testService.ts';

/** Levels up to 99 are one voice of the scripted diarizer, higher ones another. */
const [ONE, OTHER] = [
  [7, 8, 0, 0, 0],
  [107, 108, 0, 0, 0],
];
const TALK = scriptedSpeech([...OTHER, ...ONE, ...ONE, ...OTHER]);
const ASKING = { enable_speaker_switch: true };

/** Sends the talk, and returns the speakers of its finals. */
async function speakersOf(
  client: StreamClient,
  pieceFrames?: number,
): Promise<readonly (number | undefined)[]> {
  expect((await client.finish(TALK, pieceFrames)).code).toBe(1000);
  return client.finals().map(final => final.speaker_id);
}

/** Returns the scripted diarizer with other trackers. */
function diarizerWith(change: Partial<Diarizer>): Diarizer {
  return { ...createScriptedDiarizer(), ...change };
}

function failure(): RxscribeError {
  return new RxscribeError('engine-failed', 'Cannot separate speakers: the thread ended.');
}

describe('a stream with speakers', () => {
  test('has a speaker in each final, numbered in the order of appearance', async () => {
    const service = await startTestService({ diarizer: createScriptedDiarizer() });
    const client = connectStream(service, ASKING);
    expect(await speakersOf(client, 777)).toEqual([0, 1, 1, 0]);
  });

  test('has one speaker without a diarizer', async () => {
    const service = await startTestService();
    const client = connectStream(service, ASKING);
    expect(await speakersOf(client)).toEqual([0, 0, 0, 0]);
  });

  test('keeps its words when no tracker can be opened', async () => {
    const service = await startTestService({
      diarizer: diarizerWith({ track: () => Promise.reject(failure()) }),
    });
    const client = connectStream(service, ASKING);
    expect(await speakersOf(client)).toEqual([0, 0, 0, 0]);
    expect(client.finalWords()).toEqual(['W107', 'w108', 'W7', 'w8', 'W7', 'w8', 'W107', 'w108']);
  });

  test('keeps its words and the last speaker when the tracker fails on the way', async () => {
    const diarizer = diarizerWith({
      async track() {
        const tracker = await createScriptedDiarizer().track();
        let written = 0;
        const write = async (samples: Int16Array) => {
          written += samples.length;
          if (written > TALK.length / 2) throw failure();
          await tracker.write(samples);
        };
        return { ...tracker, write };
      },
    });
    const service = await startTestService({ diarizer });
    const client = connectStream(service, ASKING);
    expect(await speakersOf(client, 1600)).toEqual([0, 1, 1, 1]);
  });

  test('frees its tracker when it has ended', async () => {
    const closed = Promise.withResolvers<void>();
    const diarizer = diarizerWith({
      async track() {
        const tracker = await createScriptedDiarizer().track();
        return { ...tracker, close: async () => closed.resolve() };
      },
    });
    const service = await startTestService({ diarizer });
    const client = await connectedStream(service, ASKING);
    client.socket.terminate();
    await closed.promise;
  });
});

describe('a stream without speakers', () => {
  test('opens no tracker', async () => {
    let trackers = 0;
    const service = await startTestService({
      diarizer: diarizerWith({
        track: () => {
          trackers++;
          return createScriptedDiarizer().track();
        },
      }),
    });
    const client = connectStream(service);
    expect(await speakersOf(client)).toEqual([undefined, undefined, undefined, undefined]);
    expect(trackers).toBe(0);
  });
});

const RATE = 16_000;

test('the embedded diarizer separates two voices of a stream', {
  timeout: 120_000,
}, async () => {
  await using diarizer = createDiarizer();
  const service = await startTestService({ diarizer, limits: { stream: { stallMs: 100_000 } } });
  const client = await connectedStream(service, {
    enable_speaker_switch: true,
    max_segment_duration_seconds: 5,
  });
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
