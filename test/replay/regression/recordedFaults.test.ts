import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import fc from 'fast-check';
import { expect, test, vi } from 'vitest';
import { seeded } from '../../../src/base/seeded.ts';
import type { Cassette } from '../../../src/replay/cassette/cassette.ts';
import { readCassette } from '../../../src/replay/cassette/read/readCassette.ts';
import { recordedRun } from '../../../src/replay/cassette/recordedRun.ts';
import { audioTimes } from '../../../src/replay/measure/delays.ts';
import type { SessionRun } from '../../../src/replay/session/sessionRun.ts';
import { readSuite } from '../../../src/replay/suite/read/readSuite.ts';
import { runSuite } from '../../../src/replay/suite/run/runSuite.ts';
import { streamCase } from '../../../src/replay/suite/run/streamCase.ts';
import { VirtualClock } from '../../../src/replay/time/virtualClock.ts';
import { viewerReport } from '../../bench/parts/viewers/viewerReport.ts';
import { temporaryDirectory } from '../../helpers/dataDirectory.ts';
import { finalWords } from '../../helpers/finalWords.ts';
import { recordedScenario, recordScenario } from '../../helpers/recordedScenario.ts';
import { createScriptedRecognizer } from '../../helpers/scriptedRecognizer.ts';
import { startTestService } from '../../helpers/testService.ts';

/** Number and first seed of the sessions: `RXSCRIBE_SEED=… RXSCRIBE_SESSIONS=… vitest run …` records the same again. */
const SESSIONS = Number(process.env.RXSCRIBE_SESSIONS ?? 200);
const SEED = Number(process.env.RXSCRIBE_SEED ?? 1);

/** Seed of a session whose final is emitted after the line of its message, and has no message after it. */
const LATE_FINAL = 1063;

test('each of 25 recorded sessions with random faults replays', () => checkSessions(25));

test('a final that the client emits later than its message is replayed', () => checkSessions(1, LATE_FINAL));

test(
  'each of hundreds of recorded sessions with random faults replays',
  // Some 150 ms each on a quiet machine.
  { tags: 'slow', timeout: 120_000 + SESSIONS * 3000 },
  () => checkSessions(SESSIONS),
);

async function checkSessions(sessions: number, first = SEED): Promise<void> {
  const clock = new VirtualClock();
  const { services, stickFrom } = await startServices(clock);
  const directory = await temporaryDirectory();
  const failures: string[] = [];
  const total = { connections: 0, moved: 0, words: 0 };
  for (let seed = first; seed < first + sessions; seed++) {
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
  const suite = await readSuite([path]);
  const [suiteCase] = suite.cases;
  const speed = recorded.speed === 'max' ? 'max' : 1;
  const { run } = await streamCase({ ...suiteCase!, speed }, { cassette, suite });
  const seen: SessionRun[] = [];
  const { gate } = await runSuite(suite, { onRun: (_, each) => seen.push(each) });
  const found = [
    ...gate.checks.filter(({ passed }) => !passed).map(({ message }) => message),
    ...other('words', wordsOf(recorded), wordsOf(run)),
    ...other('figures of viewers', viewersOf(recorded), seen.flatMap(viewersOf)),
  ];
  return { recorded, found };
}

function other(name: string, before: readonly string[], now: readonly string[]): readonly string[] {
  return before.join(' ') === now.join(' ') ? [] : [`${name} ${before.join(' ')} became ${now.join(' ')}`];
}

/** Returns the words of the finals with their times. */
const wordsOf = (run: SessionRun) =>
  finalWords(run.events.map(({ value }) => value)).map(({ value, ts }) => `${value}@${ts?.toFixed(2)}`);

/** Returns what viewers saw, in figures. */
const viewersOf = (run: SessionRun) =>
  viewerReport(run.events, audioTimes(run)).map(
    ({ delays, ...figures }) =>
      `${JSON.stringify(figures)} after ${delays.map(delay => delay.toFixed(2)).join(' ')} s`,
  );
