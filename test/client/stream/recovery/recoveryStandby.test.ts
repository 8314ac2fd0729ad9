import { Subject } from 'rxjs';
import { beforeEach, describe, expect, test } from 'vitest';
import type { StandbyOptions } from '../../../../src/client/stream/options.ts';
import type { StreamStatus } from '../../../../src/client/stream/status.ts';
import type { Recognizer } from '../../../../src/engines/recognizer.ts';
import { VirtualClock } from '../../../../src/replay/time/virtualClock.ts';
import type { FaultPlan, PlannedFault } from '../../../helpers/faultPlan.ts';
import { startFaultProxy } from '../../../helpers/faultProxy.ts';
import { expectAllWords } from '../../../helpers/recoveryCase.ts';
import type { RecoveryScenario } from '../../../helpers/recoveryScenario.ts';
import { createScriptedRecognizer, levelOf } from '../../../helpers/scriptedRecognizer.ts';
import { FLOWING_SPEECH, StandbyRun } from '../../../helpers/standbyRun.ts';
import { advanceUntil, startTestService, TEST_TOKEN } from '../../../helpers/testService.ts';

/** Bytes of about 4 s of audio: in the middle of the third utterance. */
const SOME_SECONDS = { bytesUp: 4.4 * 32_000 };

/** Milliseconds between two words; without any failure 500, in a pause. */
const DEAD_MS = 550;
const FROZEN_MS = 3600;
const DEAF_MS = 11_000;

/** A minute of speech with utterances of 6 s and pauses of 0.4 s: no word is the same as one near it. */
const LONG_SPEECH: RecoveryScenario = {
  ...FLOWING_SPEECH,
  levels: Array.from({ length: 640 }, (_, index) => (index % 64 < 60 ? (index % 200) + 1 : 0)),
};

const MUSIC_LEVEL = 300;

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

/** Streams through plans of faults to both services. */
async function runBoth(plans: readonly [FaultPlan, FaultPlan]) {
  const services = await Promise.all(plans.map(() => startTestService({ clock })));
  await using first = await startFaultProxy(services[0]!, plans[0], { clock });
  await using second = await startFaultProxy(services[1]!, plans[1], { clock });
  const stream = new StandbyRun({
    ...{
      clock,
      url: first.url,
      levels: LONG_SPEECH.levels,
      token: TEST_TOKEN,
      resume: { random: () => 0.99 },
    },
    standby: { url: second.url, token: TEST_TOKEN },
  });
  const error = await advanceUntil(clock, 2, stream.end);
  return { stream, error, urls: [first.url, second.url] };
}

/** A recogniser that has no words for music. */
function withoutMusic(): Recognizer {
  const recognizer = createScriptedRecognizer();
  return {
    ...recognizer,
    async open(options) {
      const session = await recognizer.open(options);
      const write = (samples: Int16Array) => {
        const heard = samples.slice();
        for (let at = 0; at < heard.length; at += 160) {
          const part = heard.subarray(at, at + 160);
          if (levelOf(part) > MUSIC_LEVEL / 2) part.fill(0);
        }
        return session.write(heard);
      };
      return { ...session, write };
    },
  };
}

/** Streams to two services, each with a recogniser of its own. */
async function runBeside(
  recognizers: readonly Recognizer[],
  { levels }: Pick<RecoveryScenario, 'levels'> = LONG_SPEECH,
  standby: Partial<StandbyOptions> = {},
) {
  const services = await Promise.all(recognizers.map(recognizer => startTestService({ clock, recognizer })));
  const [url, standbyUrl] = services.map(service => service.url) as [string, string];
  const stream = new StandbyRun({
    ...{ clock, url, levels, token: TEST_TOKEN },
    standby: { url: standbyUrl, token: TEST_TOKEN, ...standby },
  });
  const error = await advanceUntil(clock, 2, stream.end);
  return { stream, error, urls: [url, standbyUrl] };
}

const switches = (statuses: readonly StreamStatus[]) => statuses.filter(({ type }) => type === 'switched');

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

describe('the standby goes on when the first service', () => {
  test.each([
    ['is silent', [[{ kind: 'halfOpen', after: SOME_SECONDS }]], FROZEN_MS],
    ['is no longer heard', [[{ kind: 'swallowDown', after: SOME_SECONDS }]], FROZEN_MS],
    ['no longer hears', [[{ kind: 'swallowUp', after: SOME_SECONDS }]], FROZEN_MS],
    ['answers everything 5 s late', [[{ kind: 'delay', ms: 5000, after: SOME_SECONDS }]], FROZEN_MS],
    ['revokes the token', [[{ kind: 'closeCode', code: 4001, after: SOME_SECONDS }]], DEAD_MS],
    ['is out of credit', [[{ kind: 'closeCode', code: 4003, after: SOME_SECONDS }]], DEAD_MS],
  ] satisfies [string, FaultPlan, number][])('%s', async (_, plan, mostMs) => {
    const { stream, error, first, second } = await run(plan);
    expectAllWords({ events: stream.events, error }, FLOWING_SPEECH);
    expect(hosts(stream.statuses)).toEqual([new URL(first).host, new URL(second).host]);
    expect(stream.statuses).toContainEqual(expect.objectContaining({ type: 'switched', to: 'standby' }));
    expect(stream.longestGapMs).toBeLessThan(mostMs);
  });

  test.each([
    ['breaks and is not back', { kind: 'cut', after: SOME_SECONDS }],
    ['shuts down and has no other machine', { kind: 'closeCode', code: 4010, after: SOME_SECONDS }],
  ] satisfies [string, PlannedFault][])('%s', async (_, fault) => {
    const { stream, error, first, second } = await run([[fault], { kind: 'refuse' }]);
    expectAllWords({ events: stream.events, error }, FLOWING_SPEECH);
    expect(hosts(stream.statuses)).toEqual([first, first, second].map(url => new URL(url).host));
    expect(stream.longestGapMs).toBeLessThan(DEAD_MS);
  });

  test('answers pings, but has no words for speech', async () => {
    const stuck = createScriptedRecognizer({
      beforeWrite: () => (clock.now() < 30_400 ? Promise.resolve() : new Promise(() => {})),
    });
    const { stream, error } = await runBeside([stuck, createScriptedRecognizer()]);
    expectAllWords({ events: stream.events, error }, LONG_SPEECH);
    expect(switches(stream.statuses)).toEqual([
      { type: 'switched', to: 'standby', error: expect.objectContaining({ name: 'StreamTimeoutError' }) },
    ]);
    expect(stream.longestGapMs).toBeLessThan(DEAF_MS);
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
    const { stream, error, urls } = await runBeside([slow, createScriptedRecognizer()]);
    expectAllWords({ events: stream.events, error }, LONG_SPEECH);
    expect(hosts(stream.statuses)).toEqual(urls.map(url => new URL(url).host));
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
    const { stream, error } = await run([[{ kind: 'halfOpen' }]]);
    expectAllWords({ events: stream.events, error }, FLOWING_SPEECH);
    expect(stream.firstWordMs).toBeLessThan(5000);
  });
});

describe('a service stays', () => {
  test('when its connection breaks and is back at once', async () => {
    const { stream, error, first } = await run([[{ kind: 'cut', after: SOME_SECONDS }]]);
    expectAllWords({ events: stream.events, error }, FLOWING_SPEECH);
    expect(hosts(stream.statuses)).toEqual([first, first].map(url => new URL(url).host));
    expect(stream.longestGapMs).toBeLessThan(DEAD_MS);
  });

  test('after it has taken over, while the first one is well again', async () => {
    const { stream, error } = await run([[{ kind: 'cut', after: SOME_SECONDS }], { kind: 'refuse' }]);
    expectAllWords({ events: stream.events, error }, FLOWING_SPEECH);
    expect(switches(stream.statuses)).toMatchObject([{ to: 'standby' }]);
  });

  test('when its words come every two seconds', async () => {
    // It reads for 100 ms, again and again.
    const spaced = createScriptedRecognizer({
      beforeWrite: () =>
        clock.now() % 1900 < 100
          ? Promise.resolve()
          : new Promise(resolve => void clock.schedule(1900 - (clock.now() % 1900), resolve)),
    });
    const { stream, error } = await runBeside([spaced, createScriptedRecognizer()]);
    expectAllWords({ events: stream.events, error }, LONG_SPEECH);
    expect(switches(stream.statuses)).toEqual([]);
  });
});

const REFUSED = { kind: 'refuse' } as const;

test('after an outage of both services, the backlog goes out as fast as it is taken', async () => {
  const { stream, error } = await runBoth([
    [[{ kind: 'cut', after: SOME_SECONDS }], ...new Array(50).fill(REFUSED)],
    new Array(6).fill(REFUSED),
  ]);
  expectAllWords({ events: stream.events, error }, LONG_SPEECH);
  expect(stream.longestGapMs).toBeGreaterThan(35_000);
  expect(stream.catchUpMs).toBeLessThan(1000);
});

test('a standby that is slow after it has taken over is not left for the service that failed', async () => {
  const after = { bytesUp: 12 * 32_000 };
  const silent: FaultPlan = new Array(50).fill([{ kind: 'halfOpen' }]);
  const { stream, error, urls } = await runBoth([
    [[{ kind: 'halfOpen', after: SOME_SECONDS }], ...silent],
    [['stallUp', 'stallDown'].map(kind => ({ kind, ms: 6000, after }) as PlannedFault), ...silent],
  ]);
  expectAllWords({ events: stream.events, error }, LONG_SPEECH);
  expect(hosts(stream.statuses)).toEqual(urls.map(url => new URL(url).host));
  expect(stream.longestGapMs).toBeLessThan(6500);
});

test('music changes the service once at most', async () => {
  const speech = LONG_SPEECH.levels.slice(0, 64);
  const levels = [...speech, ...new Array<number>(400).fill(MUSIC_LEVEL), ...speech];
  const { stream, error } = await runBeside([withoutMusic(), withoutMusic()], { levels });
  const heard = levels.map(level => (level === MUSIC_LEVEL ? 0 : level));
  expectAllWords({ events: stream.events, error }, { levels: heard });
  expect(switches(stream.statuses)).toMatchObject([{ to: 'standby' }]);
});

test('the service changes when its user wants it, and each word comes once', async () => {
  const use$ = new Subject<'first' | 'standby'>();
  clock.schedule(5000, () => use$.next('standby'));
  clock.schedule(9000, () => use$.next('standby'));
  clock.schedule(15_000, () => use$.next('first'));
  const both = [createScriptedRecognizer(), createScriptedRecognizer()];
  const { stream, error, urls } = await runBeside(both, LONG_SPEECH, { use$ });
  expectAllWords({ events: stream.events, error }, LONG_SPEECH);
  expect(switches(stream.statuses)).toEqual(['standby', 'first'].map(to => ({ type: 'switched', to })));
  expect(hosts(stream.statuses)).toEqual([0, 1, 0].map(at => new URL(urls[at]!).host));
  expect(stream.longestGapMs).toBeLessThan(1000);
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
