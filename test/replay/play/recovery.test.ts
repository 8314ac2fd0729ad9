import { describe, expect, test } from 'vitest';
import { seeded } from '../../../src/base/seeded.ts';
import type { PlannedPlayFault } from '../../../src/replay/play/faults/faultSchedule.ts';
import type { SessionRun } from '../../../src/replay/session/sessionRun.ts';
import { finalWords } from '../../helpers/finalWords.ts';
import { madeCassette } from '../../helpers/madeCassette.ts';
import { faultyRun } from '../../helpers/playedServer.ts';
import { randomFaults } from '../../helpers/randomFaults.ts';

const CASSETTE = madeCassette({ seconds: 20 });

/** Returns value and times of each final word. */
const words = (run: SessionRun) => finalWords(run.events.map(({ value }) => value));
const statuses = (run: SessionRun) => run.statuses.map(({ value }) => value.type);
const jobs = (run: SessionRun) =>
  run.events.flatMap(({ value }) => (value.type === 'connected' ? [value.id] : []));

/** Every word, once: word n in the nth half second. */
function expectEachWordOnce(run: SessionRun): void {
  expect(run.failure).toBeUndefined();
  expect(words(run)).toMatchObject(
    Array.from({ length: 40 }, (_, n) => ({
      value: `w${n}`,
      ts: expect.closeTo(n / 2 + 0.1, 3),
      endTs: expect.closeTo(n / 2 + 0.5, 3),
    })),
  );
}

test('a service without faults needs one connection', async () => {
  const run = await faultyRun(CASSETTE, []);
  expectEachWordOnce(run);
  expect(jobs(run)).toEqual(['made0000000001']);
});

describe('a client that reconnects receives the rest without losing or repeating a word, after', () => {
  const breaks: readonly (readonly [string, PlannedPlayFault])[] = [
    ['a cut in the middle of an utterance', { kind: 'cut', afterSeconds: 7.3 }],
    ['a cut before anything was final', { kind: 'cut', afterSeconds: 1 }],
    ['a cut right behind a final', { kind: 'cut', afterMessages: 9 }],
    ['a half-open connection', { kind: 'half-open', afterSeconds: 5.2 }],
    ['a close', { kind: 'close', code: 4010, reason: 'Server shutting down', afterSeconds: 9.9 }],
    ['a connection that was refused', { kind: 'refuse' }],
    ['an answer of HTTP', { kind: 'http-status', status: 503 }],
  ];
  test.each(breaks)('%s', async (_, fault) => {
    const run = await faultyRun(CASSETTE, [[fault]]);
    expectEachWordOnce(run);
    expect(statuses(run)).toContain('reconnecting');
    expect(new Set(jobs(run)).size).toBe(jobs(run).length);
  });

  test('three breaks in a row', async () => {
    const cut = { kind: 'cut', afterSeconds: 3 } as const;
    const run = await faultyRun(CASSETTE, [[cut], [{ kind: 'half-open', afterMessages: 4 }], [cut]]);
    expectEachWordOnce(run);
    expect(statuses(run).filter(type => type === 'reconnecting')).toHaveLength(3);
  });
});

test('a close that forbids a retry is reported as an error', async () => {
  const run = await faultyRun(CASSETTE, [
    [{ kind: 'close', code: 4003, reason: 'Insufficient credits', afterSeconds: 4 }],
  ]);
  expect(run.failure).toMatchObject({ code: 'out-of-credit', closeCode: 4003 });
});

test('random faults depend on the seed alone', () => {
  expect(randomFaults(7)).toEqual(randomFaults(7));
  expect(randomFaults(7)).not.toEqual(randomFaults(8));
  const kinds = new Set(
    Array.from({ length: 50 }, (_, seed) => randomFaults(seed))
      .flat(2)
      .map(({ kind }) => kind),
  );
  expect([...kinds].sort()).toEqual([
    'close',
    'cut',
    'delay',
    'half-open',
    'http-status',
    'refuse',
    'slow-start',
  ]);
});

test.each([2, 3, 8])('a run with faults is the same each time: seed %i', async seed => {
  const run = async () => {
    const { events, statuses, audio } = await faultyRun(CASSETTE, randomFaults(seed), {
      seed,
      // Clients reconnect after random delays.
      resume: { random: seeded(seed) },
    });
    return JSON.stringify({ events, statuses, audio }).replaceAll(/127\.0\.0\.1:\d+/g, '');
  };
  expect(await run()).toBe(await run());
});
