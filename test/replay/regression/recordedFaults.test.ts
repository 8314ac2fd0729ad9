import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import fc from 'fast-check';
import { expect, test, vi } from 'vitest';
import { seeded } from '../../../src/base/seeded.ts';
import { viewerReport } from '../../../src/captions/measure/viewerReport.ts';
import type { Cassette } from '../../../src/replay/cassette/cassette.ts';
import { damageOf } from '../../../src/replay/cassette/damage.ts';
import { readCassette } from '../../../src/replay/cassette/read/readCassette.ts';
import { recordedRun } from '../../../src/replay/cassette/recordedRun.ts';
import type { SessionRun } from '../../../src/replay/session/sessionRun.ts';
import { streamCase } from '../../../src/replay/suite/run/streamCase.ts';
import type { SuiteCase } from '../../../src/replay/suite/suite.ts';
import { VirtualClock } from '../../../src/replay/time/virtualClock.ts';
import { temporaryDirectory } from '../../helpers/dataDirectory.ts';
import { finalWords } from '../../helpers/finalWords.ts';
import { recordedScenario, recordScenario } from '../../helpers/recordedScenario.ts';
import { createScriptedRecognizer } from '../../helpers/scriptedRecognizer.ts';
import { startTestService } from '../../helpers/testService.ts';

/** Number and first seed of the sessions: `RXSCRIBE_SEED=… RXSCRIBE_SESSIONS=… vitest run …` records the same again. */
const SESSIONS = Number(process.env.RXSCRIBE_SESSIONS ?? 200);
const SEED = Number(process.env.RXSCRIBE_SEED ?? 1);

test('each of 25 recorded sessions with random faults replays', () => checkSessions(25));

test(
  'and each of hundreds of them',
  // Some 150 ms each on a quiet machine.
  { tags: 'slow', timeout: 120_000 + SESSIONS * 3000 },
  () => checkSessions(SESSIONS),
);

async function checkSessions(sessions: number): Promise<void> {
  const clock = new VirtualClock();
  const { services, stickFrom } = await startServices(clock);
  const directory = await temporaryDirectory();
  const failures: string[] = [];
  const total = { connections: 0, moved: 0, words: 0 };
  for (let seed = SEED; seed < SEED + sessions; seed++) {
    const scenario = fc.sample(recordedScenario, { seed, numRuns: 1 })[0]!;
    const path = join(directory, `${seed}.cassette.jsonl`);
    const [fromMs, toMs] = scenario.stuckMs ?? [0, 0];
    stickFrom(clock.now() + fromMs, clock.now() + toMs);
    // Random numbers of the client; the same again with the same seed.
    const spy = vi.spyOn(Math, 'random').mockImplementation(seeded(seed));
    await recordScenario(scenario, { path, clock, services }).finally(() => spy.mockRestore());
    const cassette = await readCassette(path);
    const { recorded, found } = await replayed(cassette, path);
    if (found.length > 0) failures.push(`seed ${seed}: ${found.join('; ')}`);
    const connections = cassette.lines.filter(({ type }) => type === 'connect').length;
    total.connections += connections;
    total.words += wordsOf(recorded).length;
    if (connections > 1) total.moved++;
    await Promise.all([path, path.replace('.jsonl', '.wav')].map(file => rm(file, { force: true })));
  }
  expect(failures).toEqual([]);
  console.log(
    `${sessions} sessions, ${total.moved} with several connections: ` +
      `${total.words} words over ${total.connections} connections, no difference`,
  );
  // Else nothing was tested.
  expect(total.moved).toBeGreaterThanOrEqual(Math.floor(sessions / 2));
  expect(total.words).toBeGreaterThan(sessions);
}

/** Starts two services. The recogniser of the first one stands still between two times. */
async function startServices(clock: VirtualClock) {
  const options = {
    clock,
    // Connections that nobody closes count until the service finds out.
    limits: { account: { streams: 10_000 } },
  };
  const languages = ['en', 'de'];
  let stuck = { fromMs: 0, toMs: 0 };
  const stuckMs = () => (clock.now() < stuck.fromMs ? 0 : Math.max(0, stuck.toMs - clock.now()));
  const first = createScriptedRecognizer({
    languages,
    beforeWrite: () =>
      stuckMs() === 0 ? Promise.resolve() : new Promise(resolve => void clock.schedule(stuckMs(), resolve)),
  });
  const second = createScriptedRecognizer({ languages });
  return {
    services: [
      await startTestService({ ...options, recognizer: first }),
      await startTestService({ ...options, recognizer: second }),
    ],
    stickFrom(fromMs: number, toMs: number) {
      stuck = { fromMs, toMs };
    },
  };
}

/** Replays a cassette. Resolves with the recorded run and with the differences, one text each. */
async function replayed(cassette: Cassette, path: string) {
  const recorded = recordedRun(cassette);
  const suiteCase: SuiteCase = {
    ...{ name: 'talk', input: { kind: 'cassette', path }, query: {}, service: 'cassette', faults: [] },
    ...{
      speed: recorded.speed === 'max' ? 'max' : 1,
      keywords: [],
      tags: {},
      profile: 'bbc',
      thresholds: {},
    },
  };
  const { run, mismatches } = await streamCase(suiteCase, { cassette, suite: { seed: 1 } });
  const failures = [recorded, run].flatMap(({ failure }) => (failure === undefined ? [] : [String(failure)]));
  const found = [
    ...damageOf(cassette),
    ...mismatches,
    ...failures,
    ...other('words', wordsOf(recorded), wordsOf(run)),
    ...other('figures of viewers', viewersOf(recorded), viewersOf(run)),
  ];
  return { recorded, found };
}

function other(name: string, before: readonly string[], now: readonly string[]): readonly string[] {
  return before.join(' ') === now.join(' ') ? [] : [`${name} ${before.join(' ')} became ${now.join(' ')}`];
}

/** Returns the words of the finals with their times. */
const wordsOf = (run: SessionRun) =>
  finalWords(run.events.map(({ value }) => value)).map(({ value, ts }) => `${value}@${ts?.toFixed(2)}`);

/** Returns what viewers saw, without the figures that depend on the time between words. */
const viewersOf = (run: SessionRun) =>
  viewerReport(run.events, () => undefined).map(
    ({ name, finalWords, wrongWords, movedWords, violations }) =>
      `${name}: ${finalWords} words, ${wrongWords} wrong, ${movedWords} moved, ${violations} violations;`,
  );
