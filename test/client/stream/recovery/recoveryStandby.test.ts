import { beforeEach, describe, expect, test } from 'vitest';
import type { StandbyOptions } from '../../../../src/client/stream/options.ts';
import type { StreamStatus } from '../../../../src/client/stream/status.ts';
import type { Recognizer } from '../../../../src/engines/recognizer.ts';
import { VirtualClock } from '../../../../src/replay/time/virtualClock.ts';
import type { FaultPlan } from '../../../helpers/faultPlan.ts';
import { startFaultProxy } from '../../../helpers/faultProxy.ts';
import { expectAllWords } from '../../../helpers/recoveryCase.ts';
import { createScriptedRecognizer } from '../../../helpers/scriptedRecognizer.ts';
import { FLOWING_SPEECH, StandbyRun } from '../../../helpers/standbyRun.ts';
import { advanceUntil, startTestService, TEST_TOKEN } from '../../../helpers/testService.ts';

/** Bytes of about 4 s of audio: in the middle of the third utterance. */
const SOME_SECONDS = { bytesUp: 4.4 * 32_000 };

/** Milliseconds from a failure to the next word, as the option asks for. */
const TAKE_OVER_MS = 2000;

let clock: VirtualClock;

beforeEach(() => {
  clock = new VirtualClock();
});

/** Streams through a plan of faults to the first of two services, with the other one as a standby. */
async function run(plan: FaultPlan, standby: Partial<StandbyOptions> = {}) {
  const [first, second] = [await startTestService({ clock }), await startTestService({ clock })];
  await using proxy = await startFaultProxy(first, plan, { clock });
  const stream = new StandbyRun({
    clock,
    url: proxy.url,
    token: TEST_TOKEN,
    standby: { url: second.url, token: TEST_TOKEN, ...standby },
  });
  const error = await advanceUntil(clock, 2, stream.end);
  return { stream, error, first: proxy.url, second: second.url };
}

/** Streams to a service whose recogniser is not well, with another service as a standby. */
async function runBeside(recognizer: Recognizer) {
  const services = [await startTestService({ clock, recognizer }), await startTestService({ clock })];
  const [url, standbyUrl] = services.map(service => service.url) as [string, string];
  const standby = { url: standbyUrl, token: TEST_TOKEN };
  const stream = new StandbyRun({ clock, url, token: TEST_TOKEN, standby });
  const error = await advanceUntil(clock, 2, stream.end);
  return { stream, error, urls: [url, standbyUrl] };
}

/** Hosts of the connections, in order. */
function hosts(statuses: readonly StreamStatus[]): readonly string[] {
  return statuses.flatMap(status => (status.type === 'connecting' ? [new URL(status.address).host] : []));
}

test('another machine of a service that shuts down goes on before the standby', async () => {
  const { stream, error, first } = await run([[{ kind: 'closeCode', code: 4010, after: SOME_SECONDS }]]);
  expectAllWords({ events: stream.events, error }, FLOWING_SPEECH);
  expect(hosts(stream.statuses)).toEqual([first, first].map(url => new URL(url).host));
  expect(stream.statuses).toContainEqual(expect.objectContaining({ type: 'reconnecting', delayMs: 0 }));
});

describe('the standby goes on within two seconds when the first service', () => {
  test.each([
    ['breaks', [[{ kind: 'cut', after: SOME_SECONDS }], { kind: 'refuse' }]],
    ['is silent', [[{ kind: 'halfOpen', after: SOME_SECONDS }]]],
    ['is no longer heard', [[{ kind: 'swallowDown', after: SOME_SECONDS }]]],
    ['no longer hears', [[{ kind: 'swallowUp', after: SOME_SECONDS }]]],
    ['answers everything 5 s late', [[{ kind: 'delay', ms: 5000, after: SOME_SECONDS }]]],
    ['revokes the token', [[{ kind: 'closeCode', code: 4001, after: SOME_SECONDS }]]],
    ['is out of credit', [[{ kind: 'closeCode', code: 4003, after: SOME_SECONDS }]]],
  ] satisfies [string, FaultPlan][])('%s', async (_, plan) => {
    const { stream, error, first, second } = await run(plan);
    expectAllWords({ events: stream.events, error }, FLOWING_SPEECH);
    expect(hosts(stream.statuses)).toEqual([new URL(first).host, new URL(second).host]);
    expect(stream.statuses).toContainEqual(expect.objectContaining({ type: 'switched', to: 'standby' }));
    expect(stream.longestGapMs).toBeLessThan(TAKE_OVER_MS);
  });

  test('shuts down and has no other machine', async () => {
    const { stream, error, first, second } = await run([
      [{ kind: 'closeCode', code: 4010, after: SOME_SECONDS }],
      { kind: 'refuse' },
    ]);
    expectAllWords({ events: stream.events, error }, FLOWING_SPEECH);
    expect(hosts(stream.statuses)).toEqual([first, first, second].map(url => new URL(url).host));
    expect(stream.longestGapMs).toBeLessThan(TAKE_OVER_MS);
  });

  test('answers pings, but its words stop', async () => {
    const stuck = createScriptedRecognizer({
      beforeWrite: () => (clock.now() < 4400 ? Promise.resolve() : new Promise(() => {})),
    });
    const { stream, error } = await runBeside(stuck);
    expectAllWords({ events: stream.events, error }, FLOWING_SPEECH);
    expect(stream.statuses.find(({ type }) => type === 'switched')).toMatchObject({
      to: 'standby',
      error: { name: 'StreamTimeoutError' },
    });
    expect(stream.longestGapMs).toBeLessThan(TAKE_OVER_MS);
  });

  test('works at half of real time', async () => {
    let busyMs = 0;
    const slow = createScriptedRecognizer({
      // Blocks of 50 ms take 100 ms each, one after the other.
      beforeWrite: () => {
        busyMs = Math.max(busyMs, clock.now()) + 100;
        return new Promise(resolve => void clock.schedule(busyMs - clock.now(), resolve));
      },
    });
    const { stream, error, urls } = await runBeside(slow);
    expectAllWords({ events: stream.events, error }, FLOWING_SPEECH);
    expect(hosts(stream.statuses)).toEqual(urls.map(url => new URL(url).host));
    expect(stream.longestGapMs).toBeLessThan(TAKE_OVER_MS);
  });
});

describe('the standby is used at once when the first service', () => {
  test.each([
    ['cannot be reached', [{ kind: 'refuse' }]],
    ['has an error', [{ kind: 'httpStatus', status: 503 }]],
    ['does not know the token', [[{ kind: 'closeCode', code: 4001 }]]],
  ] satisfies [string, FaultPlan][])('%s', async (_, plan) => {
    const { stream, error } = await run(plan);
    expectAllWords({ events: stream.events, error }, FLOWING_SPEECH);
    expect(hosts(stream.statuses)).toHaveLength(2);
    expect(stream.longestGapMs).toBeLessThan(1000);
  });

  test('accepts a connection but is never ready', async () => {
    const { stream, error } = await run([[{ kind: 'halfOpen' }]], { takeOverSeconds: 1 });
    expectAllWords({ events: stream.events, error }, FLOWING_SPEECH);
    expect(stream.firstWordMs).toBeLessThan(1500);
  });
});

test('the first service goes on after a while, at a pause, and no word is lost or comes twice', async () => {
  const { stream, error } = await run([[{ kind: 'cut', after: SOME_SECONDS }]], {
    returnAfterSeconds: 5,
  });
  expectAllWords({ events: stream.events, error }, FLOWING_SPEECH);
  const switches = stream.statuses.filter(status => status.type === 'switched');
  expect(switches.map(({ to }) => to)).toEqual(['standby', 'first']);
  expect(stream.statuses.filter(({ type }) => type === 'connected')).toHaveLength(3);
  expect(stream.statuses.filter(({ type }) => type === 'reconnecting')).toHaveLength(1);
});

test('the first service is tried later and later while it stays away', async () => {
  const refusals = new Array<{ kind: 'refuse' }>(20).fill({ kind: 'refuse' });
  const { stream, error, second } = await run([[{ kind: 'cut', after: SOME_SECONDS }], ...refusals], {
    returnAfterSeconds: 2,
  });
  expectAllWords({ events: stream.events, error }, FLOWING_SPEECH);
  expect(stream.statuses.filter(({ type }) => type === 'switched')).toHaveLength(1);
  expect(stream.statuses.filter(({ type }) => type === 'connected')).toHaveLength(2);
  expect(hosts(stream.statuses).at(-1)).toBe(new URL(second).host);
});

test('a source that is silent for long is no reason to leave a service', async () => {
  const [first, second] = [await startTestService({ clock }), await startTestService({ clock })];
  const stream = new StandbyRun({
    clock,
    url: first.url,
    token: TEST_TOKEN,
    standby: { url: second.url, token: TEST_TOKEN },
    levels: [7, 8, 9, ...new Array<number>(300).fill(0), 17, 18, 19, 0, 0, 0, 0],
  });
  expect(await advanceUntil(clock, 5, stream.end)).toBeUndefined();
  expect(hosts(stream.statuses)).toEqual([new URL(first.url).host]);
});

test('a stream ends when both services refuse it for good', async () => {
  const { stream, error } = await run([[{ kind: 'closeCode', code: 4003 }]], { token: 'wrong' });
  expect(error).toMatchObject({ name: 'UnauthorizedError' });
  expect(hosts(stream.statuses)).toHaveLength(2);
});
