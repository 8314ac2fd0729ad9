import { describe, expect, test } from 'vitest';
import type { EngineWork, RecognizerUsage } from '../../../src/engines/recognizer.ts';
import { VirtualClock } from '../../../src/replay/time/virtualClock.ts';
import type { Accounts } from '../../../src/service/accounts/accounts.ts';
import { createFixedAccount } from '../../../src/service/accounts/fixedAccount.ts';
import {
  type CapacityEstimate,
  freeStreams,
  initialEstimate,
  isBehind,
  nextEstimate,
  slotsOf,
} from '../../../src/service/live/capacity.ts';
import { createCapacityMonitor } from '../../../src/service/live/capacityMonitor.ts';
import { eventually } from '../../helpers/eventually.ts';
import { createScriptedRecognizer } from '../../helpers/scriptedRecognizer.ts';
import { connectStream, type StreamClient } from '../../helpers/streamClient.ts';
import { advanceUntil, startTestService, TEST_TOKEN } from '../../helpers/testService.ts';

const NO_WORK = workOf(0, 0);

function workOf(decodingSeconds: number, audioSeconds: number, yieldingSeconds = 0): EngineWork {
  // Another program may have the processors while a decoder is busy.
  return { processorSeconds: decodingSeconds / 3, decodingSeconds, yieldingSeconds, audioSeconds };
}

function usageOf(changes: Partial<RecognizerUsage> = {}): RecognizerUsage {
  return {
    streams: 0,
    maxStreams: 100,
    decoders: 2,
    yieldingShare: 0,
    expectedCost: 0.2,
    streamWork: NO_WORK,
    recordingWork: NO_WORK,
    lagMs: 0,
    ...changes,
  };
}

describe('free streams', () => {
  // Two decoders, of whose time streams get 1.7 s each second.
  test.for([
    { name: 'as many as the expected cost allows', expected: 8 },
    { name: 'less those that run', running: 3, expected: 5 },
    { name: 'less those that others have open', usage: { streams: 6 }, running: 3, expected: 2 },
    { name: 'not more than the recogniser opens', usage: { maxStreams: 5 }, running: 3, expected: 2 },
    { name: 'not more than the operator allows', maxStreams: 4, running: 3, expected: 1 },
    { name: 'more with more decoders', usage: { decoders: 8 }, expected: 34 },
    { name: 'fewer when partials need a share', usage: { yieldingShare: 0.5 }, expected: 4 },
    { name: 'none when too many run', running: 12, expected: 0 },
    { name: 'one for a costly model, when none runs', usage: { expectedCost: 5 }, expected: 1 },
    { name: 'no second one for a costly model', usage: { expectedCost: 5 }, running: 1, expected: 0 },
    { name: 'none when streams are behind', usage: { lagMs: 2100 }, running: 1, expected: 0 },
  ])('$name', ({ usage, running = 0, maxStreams, expected }) => {
    const estimate = initialEstimate(usageOf(usage), 0);
    const after = nextEstimate(estimate, estimate.usage, 2000);
    expect(freeStreams(after, { running, maxStreams })).toBe(expected);
  });

  test('follow the measured cost', () => {
    const costly = play(initialEstimate(usageOf(), 0), { seconds: 120, cost: 0.5 });
    expect(costly.costPerSecond).toBeCloseTo(0.46, 2);
    expect(freeStreams(costly, { running: 0 })).toBe(3);
    const cheap = play(costly, { seconds: 1500, cost: 0.1 });
    expect(freeStreams(cheap, { running: 0 })).toBe(16);
  });

  test('do not become more without end when all streams are silent', () => {
    const silent = play(initialEstimate(usageOf({ maxStreams: 1000 }), 0), { seconds: 3600, cost: 0 });
    expect(silent.costPerSecond).toBeCloseTo(0.025);
    expect(freeStreams(silent, { running: 0 })).toBe(68);
  });

  test('do not change while nothing is heard', () => {
    const before = play(initialEstimate(usageOf(), 0), { seconds: 100, cost: 0.4 });
    const later = nextEstimate(before, before.usage, before.atMs + 3_600_000);
    expect(later.costPerSecond).toBe(before.costPerSecond);
  });

  test('do not count the work for recordings', () => {
    const recordingWork = workOf(500, 10_000);
    const estimate = nextEstimate(initialEstimate(usageOf(), 0), usageOf({ recordingWork }), 300_000);
    expect(freeStreams(estimate, { running: 0 })).toBe(8);
  });
});

test('streams are behind after two seconds of lag, until they have caught up', () => {
  let estimate = initialEstimate(usageOf(), 0);
  const behindAt = (lagMs: number) => {
    estimate = nextEstimate(estimate, usageOf({ lagMs }), estimate.atMs + 1000);
    return isBehind(estimate);
  };
  expect([2100, 2100, 1900, 3000].map(behindAt)).toEqual([false, false, false, false]);
  expect([3000, 2100, 1900, 600].map(behindAt)).toEqual([false, true, true, true]);
  expect([400, 600, 1900].map(behindAt)).toEqual([false, false, false]);
});

test('work that yields to other streams costs nothing', () => {
  const usage = usageOf({ streamWork: workOf(90, 100, 80) });
  expect(nextEstimate(initialEstimate(usageOf(), 0), usage, 1000).costPerSecond).toBeLessThan(0.2);
});

test('all required work counts, whether it comes before the audio or after it', () => {
  const start = initialEstimate(usageOf(), 0);
  const heard = usageOf({ streamWork: workOf(0, 5) });
  const worked = usageOf({ streamWork: workOf(6, 5) });
  const both = usageOf({ streamWork: workOf(6, 10) });
  const estimate = [heard, worked, both].reduce((before, usage) => nextEstimate(before, usage, 1000), start);
  expect(estimate.costPerSecond).toBeGreaterThan(0.2);
});

test('the load is the mean of a minute, of streams and recordings', () => {
  const step = (before: CapacityEstimate, seconds: number) => {
    const { streamWork, recordingWork } = before.usage;
    const usage = usageOf({
      streamWork: workOf(streamWork.decodingSeconds + seconds * 0.5, 0),
      recordingWork: workOf(recordingWork.decodingSeconds + seconds * 0.5, 0),
    });
    return nextEstimate(before, usage, before.atMs + seconds * 1000);
  };
  let estimate = initialEstimate(usageOf(), 0);
  for (let second = 0; second < 60; second++) estimate = step(estimate, 1);
  expect(estimate.busy).toBeCloseTo(0.5 * (1 - Math.exp(-1)), 3);
  expect(step(estimate, 600).busy).toBeCloseTo(0.5, 3);
  expect(nextEstimate(estimate, estimate.usage, estimate.atMs).busy).toBe(estimate.busy);
});

test('slots are the smaller of both limits', () => {
  const estimate = initialEstimate(usageOf({ maxStreams: 8 }), 0);
  expect(slotsOf(estimate, { running: 0 })).toBe(8);
  expect(slotsOf(estimate, { running: 0, maxStreams: 3 })).toBe(3);
  expect(slotsOf(estimate, { running: 0, maxStreams: 30 })).toBe(8);
});

/** Returns the estimate after some seconds of a stream, measured each second. */
function play(
  from: CapacityEstimate,
  { seconds, cost }: { readonly seconds: number; readonly cost: number },
): CapacityEstimate {
  let estimate = from;
  for (let second = 0; second < seconds; second++) {
    const { decodingSeconds, audioSeconds } = estimate.usage.streamWork;
    const streamWork = workOf(decodingSeconds + cost, audioSeconds + 1);
    estimate = nextEstimate(estimate, { ...estimate.usage, streamWork }, estimate.atMs + 1000);
  }
  return estimate;
}

/** A monitor whose counts and lag a test sets. */
function monitored() {
  const clock = new VirtualClock();
  const state = { running: 0, waiting: 0, lagMs: 0, warnings: [] as string[] };
  const monitor = createCapacityMonitor({
    recognizer: createScriptedRecognizer({ maxSessions: 4, cost: 0.1, lagMs: () => state.lagMs }),
    counts: () => state,
    clock,
    logger: { warn: (_: object, message: string) => void state.warnings.push(message) } as never,
  });
  const set = async (changes: Partial<typeof state>, seconds = 0) => {
    Object.assign(state, changes);
    monitor.update();
    await clock.advanceAsync(seconds * 1000);
  };
  return { clock, state, monitor, set };
}

test('streams that are behind are reported once for each episode', async () => {
  const { state, monitor, set } = monitored();
  await set({ running: 3, lagMs: 2100 }, 300);
  expect(state.warnings).toEqual([
    'Streams are 2.1 s behind: the processors cannot keep up with 3 of them. New ones wait. ' +
      'Lower --max-streams or --jobs, or add a machine.',
  ]);
  expect(monitor.hasRoom()).toBe(false);
  await set({ lagMs: 0 }, 30);
  expect(monitor.hasRoom()).toBe(true);
  await set({ lagMs: 2500 }, 30);
  expect(state.warnings).toHaveLength(1);
  await set({ lagMs: 0 }, 61);
  await set({ lagMs: 3000 }, 5);
  expect(state.warnings).toHaveLength(2);
  expect(state.warnings[1]).toMatch('Streams are 3.0 s behind');
});

test('streams that wait in vain are reported once for each episode', async () => {
  const { state, set } = monitored();
  await set({ running: 4 }, 100);
  expect(state.warnings).toEqual([]);
  await set({ waiting: 2 }, 100);
  await set({ waiting: 0 }, 30);
  await set({ waiting: 1 }, 100);
  expect(state.warnings).toEqual([
    'No capacity is left for more streams: 4 run and 2 wait. ' +
      'Add a machine, or raise --max-streams if the processors are not busy.',
  ]);
  await set({ waiting: 0 }, 61);
  await set({ waiting: 1 }, 5);
  expect(state.warnings).toHaveLength(2);
});

test('no timer is left when no stream runs or waits', async () => {
  const { clock, set } = monitored();
  expect(clock.pending).toBe(0);
  await set({ running: 1 }, 10);
  expect(clock.pending).toBe(1);
  await set({ running: 0 });
  expect(clock.pending).toBe(0);
  await set({ waiting: 1 }, 10);
  expect(clock.pending).toBe(1);
  await set({ waiting: 0 });
  expect(clock.pending).toBe(0);
});

const LIMITS = { stream: { idleMs: 1e9, heartbeatMs: 1e9 } };

async function end(client: StreamClient): Promise<void> {
  expect((await client.finish()).code).toBe(1000);
}

test('the operator limits the streams of a service', async () => {
  const clock = new VirtualClock();
  const service = await startTestService({ clock, limits: LIMITS, maxStreams: 1 });
  await connectStream(service).connected;
  expect((await advanceUntil(clock, 500, connectStream(service).closed)).code).toBe(4013);
});

test.for([0, -1, Number.NaN])('a limit of %s streams is refused', async maxStreams => {
  await expect(startTestService({ maxStreams })).rejects.toThrow(
    `Option 'maxStreams' must be at least 1, not '${maxStreams}'.`,
  );
});

test('streams that wait count against the limit of their account', async () => {
  const service = await startTestService({
    maxStreams: 1,
    limits: { account: { streams: 3 } },
  });
  const clients = [connectStream(service)];
  await clients[0]!.connected;
  for (let count = 0; count < 2; count++) clients.push(connectStream(service));
  await Promise.all(clients.map(({ opened }) => opened));
  expect((await connectStream(service).closed).code).toBe(4029);
});

test('an account with many waiting streams does not keep another one waiting', async () => {
  const other = 'another-token-of-the-service';
  const service = await startTestService({ maxStreams: 1, accounts: twoAccounts(TEST_TOKEN, other) });
  const order: string[] = [];
  const clients = new Map<string, StreamClient>();
  const tokens = { first: TEST_TOKEN, second: TEST_TOKEN, third: TEST_TOKEN, other };
  for (const [name, access_token] of Object.entries(tokens)) {
    const client = connectStream(service, { access_token });
    clients.set(name, client);
    void client.connected.then(() => order.push(name));
    await client.opened;
    // Answered after the request for a session, so that each is in the line before the next one comes.
    await new Promise(resolve => client.socket.ping(() => client.socket.once('pong', resolve)));
  }
  for (let served = 1; served <= clients.size; served++) {
    await eventually(() => expect(order).toHaveLength(served));
    await end(clients.get(order.at(-1)!)!);
  }
  expect(order).toEqual(['first', 'second', 'other', 'third']);
});

/** Returns two accounts in memory, of a token each. */
function twoAccounts(...tokens: readonly [string, string]): Accounts {
  const accounts = createFixedAccount(tokens[0]);
  return {
    ...accounts,
    async authenticate(token) {
      return tokens.includes(token) ? { accountId: `account of ${token}`, limits: {} } : undefined;
    },
  };
}
