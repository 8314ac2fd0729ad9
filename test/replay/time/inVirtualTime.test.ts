import { expect, test } from 'vitest';
import { delay } from '../../../src/base/clock.ts';
import { transcribe } from '../../../src/client/stream/transcribe.ts';
import type { Cassette } from '../../../src/replay/cassette/cassette.ts';
import { playServer } from '../../../src/replay/play/server/playServer.ts';
import { playSource } from '../../../src/replay/play/source/playSource.ts';
import { observeSession } from '../../../src/replay/session/observeSession.ts';
import type { SessionRun } from '../../../src/replay/session/sessionRun.ts';
import { inVirtualTime } from '../../../src/replay/time/inVirtualTime.ts';
import { LAST_LAG_MS, lagOf, madeCassette } from '../../helpers/madeCassette.ts';

function live(cassette: Cassette): Promise<SessionRun> {
  return inVirtualTime(async clock => {
    await using server = await playServer(cassette, { clock, latency: 'recorded' });
    const { url, token } = server;
    const source = playSource(cassette, { speed: 1, clock });
    const run = await observeSession(source, transcribe({ url, token, clock }), { clock });
    server.check();
    return run;
  });
}

test('words have the recorded delays', async () => {
  const cassette = madeCassette({ seconds: 30 });
  const run = await live(cassette);
  const words = run.events.filter(({ value }) => value.type === 'partial' || value.type === 'final');
  expect(words.length).toBeGreaterThan(50);
  const delays = words.map(({ atMs, value }) => 'endTs' in value && Math.round(atMs - value.endTs * 1000));
  expect(delays).toEqual([...words.slice(1).map((_, index) => lagOf(index)), LAST_LAG_MS]);
});

test('a wrapping clock works as well', async () => {
  const cassette = madeCassette({ seconds: 30 });
  const run = await inVirtualTime(async virtual => {
    const clock = {
      now: () => virtual.now(),
      wallTime: () => virtual.wallTime(),
      schedule: (ms: number, callback: () => void) => virtual.schedule(ms, callback),
      hold: () => virtual.hold(),
      join: (settle: () => Promise<boolean>) => virtual.join(settle),
    };
    await using server = await playServer(cassette, { clock, latency: 'recorded' });
    const { url, token } = server;
    const source = playSource(cassette, { speed: 1, clock });
    return await observeSession(source, transcribe({ url, token, clock }), { clock });
  });
  expect(run.events).toEqual((await live(cassette)).events);
});

test('an hour without events passes immediately', async () => {
  const before = performance.now();
  const passed = await inVirtualTime(async clock => {
    await delay(3_600_000, { clock });
    return clock.now();
  });
  expect(passed).toBe(3_600_000);
  expect(performance.now() - before).toBeLessThan(60_000);
});

test('time stands still while it is held', async () => {
  const times = await inVirtualTime(async clock => {
    const release = clock.hold();
    const timer = delay(10, { clock }).then(() => clock.now());
    await new Promise(resolve => setTimeout(resolve, 5));
    const heldAt = clock.now();
    release();
    return [heldAt, await timer];
  });
  expect(times).toEqual([0, 10]);
});

test('an endless run fails', async () => {
  const run = inVirtualTime(clock => delay(11_000, { clock }), { maxSeconds: 10 });
  await expect(run).rejects.toMatchObject({ code: 'timeout' });
  await expect(inVirtualTime(() => 1, { maxSeconds: 0 })).rejects.toThrow('maxSeconds');
});

test('an abandoned run releases its resources', async () => {
  const cassette = madeCassette({ seconds: 30 });
  let url: string | undefined;
  const run = inVirtualTime(
    async (clock, signal) => {
      await using server = await playServer(cassette, { clock });
      url = server.url.replace('ws:', 'http:');
      const live = transcribe({ url: server.url, token: server.token, clock });
      return await observeSession(playSource(cassette, { speed: 1, clock }), live, { clock, signal });
    },
    { maxSeconds: 10 },
  );
  await expect(run).rejects.toMatchObject({ code: 'timeout' });
  await expect(fetch(url!)).rejects.toThrow();
});

test('holding the clock waits for a token that takes real time', async () => {
  const cassette = madeCassette({ seconds: 4 });
  const run = await inVirtualTime(async (clock, signal) => {
    await using server = await playServer(cassette, { clock });
    const token = async () => {
      const release = clock.hold();
      await new Promise(resolve => setTimeout(resolve, 50));
      release();
      return server.token;
    };
    const live = transcribe({ url: server.url, token, clock });
    return await observeSession(playSource(cassette, { speed: 1, clock }), live, { clock, signal });
  });
  expect(run.failure).toBeUndefined();
  expect(run.events.at(-1)).toMatchObject({ value: { type: 'final', endTs: 4 } });
});

test('an aborted run rejects with the reason, a failed one with its error', async () => {
  const signal = AbortSignal.abort(new Error('enough'));
  await expect(inVirtualTime(() => 1, { signal })).rejects.toThrow('enough');
  const stop = new AbortController();
  const endless = inVirtualTime(() => new Promise(() => {}), { signal: stop.signal });
  stop.abort(new Error('stopped'));
  await expect(endless).rejects.toThrow('stopped');
  await expect(inVirtualTime(() => Promise.reject(new Error('own')))).rejects.toThrow('own');
});
