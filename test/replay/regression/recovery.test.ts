import { describe, expect, test } from 'vitest';
import { seeded } from '../../../src/base/seeded.ts';
import { transcribe } from '../../../src/client/stream/transcribe.ts';
import { readCassette } from '../../../src/replay/cassette/read/readCassette.ts';
import { recordedRun } from '../../../src/replay/cassette/recordedRun.ts';
import { coverageOf, coveredSeconds } from '../../../src/replay/measure/coveredSeconds.ts';
import { playServer } from '../../../src/replay/play/server/playServer.ts';
import { playSource } from '../../../src/replay/play/source/playSource.ts';
import { observeSession } from '../../../src/replay/session/observeSession.ts';
import { inVirtualTime } from '../../../src/replay/time/inVirtualTime.ts';
import { randomFaults } from '../../helpers/randomFaults.ts';

// Recorded from the embedded recognizer: real utterances with their lengths and delays.
const cassette = await readCassette(
  new URL('../../../samples/sense-and-sensibility.cassette.jsonl', import.meta.url).pathname,
);
const recorded = recordedRun(cassette);

/** Plays the recorded session in real time with faults; retries have minimal delays. */
function streamedWith(seed: number) {
  return inVirtualTime(async clock => {
    const faults = randomFaults(seed, { seconds: recorded.seconds });
    await using server = await playServer(cassette, { clock, latency: 'recorded', faults, seed });
    const { url, token } = server;
    const live = transcribe({ url, token, clock, resume: { random: seeded(seed) } });
    return await observeSession(playSource(cassette, { speed: 1, clock, server }), live, { speed: 1, clock });
  });
}

const SEEDS = Array.from({ length: 20 }, (_, index) => index + 1);

describe('a recorded session that breaks', () => {
  test.for(SEEDS)('has all words once: seed %i', async seed => {
    const run = await streamedWith(seed);
    expect(run.failure).toBeUndefined();
    expect(run.transcript.monologues).toEqual(recorded.transcript.monologues);
    expect(coverageOf(coveredSeconds(run))).toBe(1);
  });

  test('breaks in most of these', () => {
    const broken = SEEDS.filter(seed => randomFaults(seed, { seconds: 27 }).flat().length > 0);
    expect(broken.length).toBeGreaterThan(SEEDS.length / 2);
  });
});
