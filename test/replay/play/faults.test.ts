import { describe, expect, test } from 'vitest';
import type { FaultSchedule, PlannedPlayFault } from '../../../src/replay/play/faults/faultSchedule.ts';
import { VirtualClock } from '../../../src/replay/time/virtualClock.ts';
import { type BareSession, bareSession } from '../../helpers/bareClient.ts';
import { cassetteFrames } from '../../helpers/cassetteFrames.ts';
import { madeCassette } from '../../helpers/madeCassette.ts';
import { faultyRun, playedServer } from '../../helpers/playedServer.ts';

const CASSETTE = madeCassette({ seconds: 10 });
const FRAMES = await cassetteFrames(CASSETTE);
const TEXTS = CASSETTE.lines.flatMap(line => (line.type === 'message' ? [JSON.stringify(line.message)] : []));

async function heard(faults: readonly PlannedPlayFault[], seed = 1): Promise<BareSession> {
  const server = await playedServer(CASSETTE, { faults: [faults], seed });
  return bareSession(server, { send: FRAMES });
}

describe('messages', () => {
  test('are duplicated', async () => {
    const { texts } = await heard([{ kind: 'duplicate', afterMessages: 3 }]);
    expect(texts).toEqual(TEXTS.toSpliced(3, 0, TEXTS[3]!));
  });

  test('are dropped', async () => {
    const { texts } = await heard([{ kind: 'drop', afterMessages: 3 }]);
    expect(texts).toEqual(TEXTS.toSpliced(3, 1));
  });

  test('are reordered by the seed', async () => {
    const fault = { kind: 'reorder', messages: 6, afterMessages: 2 } as const;
    const { texts, code } = await heard([fault], 5);
    expect(texts.slice(2, 8)).not.toEqual(TEXTS.slice(2, 8));
    expect(texts.slice(2, 8).sort()).toEqual(TEXTS.slice(2, 8).sort());
    expect([texts.slice(0, 2), texts.slice(8)]).toEqual([TEXTS.slice(0, 2), TEXTS.slice(8)]);
    expect(code).toBe(1000);
    expect(texts).toEqual((await heard([fault], 5)).texts);
    expect(texts).not.toEqual((await heard([fault], 6)).texts);
  });

  test('are all sent before the close, also those that are waiting to be reordered', async () => {
    const { texts, code } = await heard([{ kind: 'reorder', messages: 100, afterMessages: 20 }]);
    expect(texts.toSorted()).toEqual(TEXTS.toSorted());
    expect(code).toBe(1000);
  });
});

describe('time', () => {
  const delays = async (faults: FaultSchedule, seed?: number) => {
    const run = await faultyRun(CASSETTE, faults, { latency: 'none', ...(seed !== undefined && { seed }) });
    return run.events.flatMap(({ atMs, value }) =>
      value.type === 'partial' || value.type === 'final' ? [Math.round(atMs - value.endTs * 1000)] : [],
    );
  };

  test('passes before the messages after a delay', async () => {
    const all = await delays([[{ kind: 'delay', ms: 300, afterSeconds: 4.9 }]]);
    expect(all).toEqual([...new Array<number>(9).fill(0), ...new Array<number>(12).fill(300)]);
  });

  test('has random jitter by the seed, and keeps the order', async () => {
    const faults = [[{ kind: 'delay', ms: 100, jitterMs: 200 }]] as const;
    const all = await delays(faults, 3);
    expect(new Set(all).size).toBeGreaterThan(10);
    expect(Math.min(...all)).toBeGreaterThanOrEqual(100);
    expect(Math.max(...all)).toBeLessThanOrEqual(300);
    expect(all).toEqual(await delays(faults, 3));
    expect(all).not.toEqual(await delays(faults, 4));
  });

  test('passes before a slow start', async () => {
    const run = await faultyRun(CASSETTE, [[{ kind: 'slow-start', ms: 2500 }]]);
    const [connected, first] = run.events;
    expect(connected).toMatchObject({ atMs: 100 + 2500, value: { type: 'connected' } });
    expect(first!.atMs).toBeGreaterThanOrEqual(2600);
  });
});

describe('connections', () => {
  test('are cut after a number of messages', async () => {
    expect(await heard([{ kind: 'cut', afterMessages: 5 }])).toEqual({
      texts: TEXTS.slice(0, 5),
      code: 1006,
      reason: '',
    });
  });

  test('are cut after some audio, with all messages before it', async () => {
    const { texts, code } = await heard([{ kind: 'cut', afterSeconds: 2.5 }]);
    expect([texts, code]).toEqual([TEXTS.slice(0, 1 + 5), 1006]);
  });

  test('are closed with a code and a reason', async () => {
    const { texts, code, reason } = await heard([
      { kind: 'close', code: 4013, reason: 'No instance available', afterSeconds: 1 },
    ]);
    expect([texts, code, reason]).toEqual([TEXTS.slice(0, 3), 4013, 'No instance available']);
  });

  test.each([{ kind: 'refuse' }, { kind: 'http-status', status: 503 }] as const)(
    'are not made: %o',
    async fault => {
      expect(await heard([fault])).toMatchObject({ texts: [], code: 1006 });
    },
  );

  test('with two conditions are broken at the later one', async () => {
    const { texts } = await heard([{ kind: 'cut', afterSeconds: 1, afterMessages: 8 }]);
    expect(texts).toEqual(TEXTS.slice(0, 8));
  });

  test('that are half open answer nothing, not even pings and closes', async () => {
    const server = await playedServer(CASSETTE, { faults: [[{ kind: 'half-open', afterMessages: 4 }]] });
    const { WebSocket } = await import('ws');
    const socket = new WebSocket(
      `${server.url}?access_token=${server.token}&content_type=audio/x-raw;layout=interleaved;rate=8000;format=S16LE;channels=1`,
    );
    const texts: string[] = [];
    let answers = 0;
    socket.on('message', data => texts.push(data.toString()));
    for (const event of ['pong', 'close', 'error']) socket.on(event, () => answers++);
    await new Promise(resolve => socket.on('open', resolve));
    for (const frame of FRAMES) socket.send(frame);
    socket.ping();
    socket.close();
    // Another connection finishes meanwhile.
    expect((await bareSession(server, { send: FRAMES })).code).toBe(1000);
    expect([texts, answers]).toEqual([TEXTS.slice(0, 4), 0]);
    expect(await server.settled()).toBeUndefined();
    socket.terminate();
  });
});

test('a virtual clock holds delayed messages', async () => {
  const clock = new VirtualClock();
  const server = await playedServer(CASSETTE, { clock, faults: [[{ kind: 'delay', ms: 1000 }]] });
  const session = bareSession(server, { send: FRAMES });
  await server.connected(new AbortController().signal);
  await clock.settle();
  expect(clock.pending).toBe(1);
  clock.advance(1000);
  expect((await session).texts).toEqual(TEXTS);
});
