import { of } from 'rxjs';
import { describe, expect, test } from 'vitest';
import { AHEAD_BYTES } from '../../../../src/client/stream/machine/sending.ts';
import { CLOSE } from '../../../../src/protocol/closeCodes.ts';
import { VirtualClock } from '../../../../src/replay/time/virtualClock.ts';
import { advanceUntil } from '../../../helpers/advanceUntil.ts';
import { LiveSource } from '../../../helpers/liveSource.ts';
import { httpServer, socketServer } from '../../../helpers/loopbackServer.ts';
import { blockAt, TEST_RATE } from '../../../helpers/streamBlocks.ts';
import { streamRun } from '../../../helpers/streamRun.ts';
import {
  connectedMessage,
  finalMessage,
  type StreamPeer,
  startStreamService,
} from '../../../helpers/streamService.ts';

const GIVE_UP_SECONDS = 30;
const LIMIT = { giveUpAfterSeconds: GIVE_UP_SECONDS, firstConnectionSeconds: GIVE_UP_SECONDS };
const RESUME = { ...LIMIT, baseDelayMs: 1, maxDelayMs: 1 };
const STEP_MS = 100;

async function outageOf(behave: (peer: StreamPeer) => unknown) {
  const service = await startStreamService(behave);
  const clock = new VirtualClock();
  const source = new LiveSource(clock);
  const run = streamRun(source.audio$, { url: service.url, clock, resume: RESUME });
  return {
    ...{ service, clock, source, run },
    async [Symbol.asyncDispose]() {
      run.subscription.unsubscribe();
      await service[Symbol.asyncDispose]();
    },
  };
}

/** Expects a time that is that of the longest outage: sockets are slower than a clock that is moved on. */
function expectGivenUp(elapsedMs: number): void {
  expect(elapsedMs / 1000).toBeGreaterThan(GIVE_UP_SECONDS - 1);
  expect(elapsedMs / 1000).toBeLessThan(GIVE_UP_SECONDS + 3);
}

/** Returns the behaviour of a service whose first connection freezes after `connected`, and each later one before it. */
function freezesAfterConnected(): (peer: StreamPeer) => void {
  let isFirst = true;
  return peer => {
    if (isFirst) peer.say(connectedMessage);
    isFirst = false;
    peer.tcp.pause();
  };
}

describe('a service that is of no use is given up', () => {
  test.each([
    ['connects and says nothing', (peer: StreamPeer) => peer.say(connectedMessage)],
    ['never says that it is connected', () => {}],
    ['freezes before it is connected', (peer: StreamPeer) => peer.tcp.pause()],
    ['freezes for good after it', freezesAfterConnected()],
  ])('when it %s, at the end of a file', async (_, behave) => {
    await using outage = await outageOf(behave);
    const { service, clock, source, run } = outage;
    source.give(10);
    source.audio$.complete();
    const startMs = clock.now();
    expect(await advanceUntil(clock, STEP_MS, run.end)).toMatchObject({ retry: true });
    expect(service.peers.length).toBeLessThanOrEqual(2);
    expectGivenUp(clock.now() - startMs);
  });

  test.each([
    ['answers no handshake', async () => (await socketServer(() => {})).url],
    ['refuses connections', async () => 'http://127.0.0.1:1'],
  ])('when it %s', async (_, address) => {
    const url = await address();
    const clock = new VirtualClock();
    const source = new LiveSource(clock);
    const run = streamRun(source.audio$, { url, clock, resume: LIMIT });
    const startMs = clock.now();
    source.give(1);
    expect(await advanceUntil(clock, STEP_MS, run.end)).toMatchObject({ retry: true });
    expectGivenUp(clock.now() - startMs);
  });

  test('when its connections hold for a while each', async () => {
    await using outage = await outageOf(peer => peer.say(connectedMessage));
    const { service, clock, source, run } = outage;
    source.give(1);
    for (let connection = 1; connection <= 2; connection++) {
      await advanceUntil(clock, 1, run.until('connected', connection));
      await source.play(40);
      service.peers.at(-1)!.tcp.resetAndDestroy();
    }
    expect(await run.end).toMatchObject({ name: 'ConnectionLostError' });
  });
});

describe('an outage is over', () => {
  async function afterBreak(meanwhile: (source: LiveSource, peer: StreamPeer) => Promise<unknown>) {
    await using outage = await outageOf(peer => peer.say(connectedMessage));
    const { service, clock, source, run } = outage;
    source.give(1);
    await run.until('connected');
    service.peers[0]!.tcp.resetAndDestroy();
    await advanceUntil(clock, 1, run.until('connected', 2));
    await meanwhile(source, service.peers[1]!);
    service.peers[1]!.tcp.resetAndDestroy();
    await advanceUntil(clock, 1, run.until('connected', 3));
    expect(run.statusTypes).not.toContain('failed');
  }

  test('when something becomes final', () =>
    afterBreak(async (source, peer) => {
      await source.play(GIVE_UP_SECONDS);
      peer.say(finalMessage('word', 0, 1));
      await source.play(1);
    }));

  test('when a minute of silence was reported', () => afterBreak(source => source.play(100)));

  test('when a source that is paused has nothing to hear', () => afterBreak(source => source.wait(60)));
});

describe('a first connection is given up within its 5 s', () => {
  async function given(url: string) {
    const clock = new VirtualClock();
    const startMs = clock.now();
    const run = streamRun(of(blockAt(0, 160)), { url, clock, resume: {} });
    const error = await advanceUntil(clock, 10, run.end);
    return { error, seconds: (clock.now() - startMs) / 1000, run };
  }

  test('when it is refused', async () => {
    const { error, seconds } = await given('http://127.0.0.1:1');
    expect(error).toMatchObject({ retry: true });
    // The steps of the clock while the error is on its way.
    expect(seconds).toBeLessThan(5.5);
  });

  test('when its handshake has no answer', async () => {
    const silent = await httpServer(() => {});
    const { error, seconds, run } = await given(silent.url);
    expect(String(error)).toContain('did not send an answer to the handshake within 5 s');
    expect(seconds).toBeLessThan(5.5);
    expect(run.statusTypes).toEqual(['connecting', 'failed']);
  });
});

describe('before a service is connected', () => {
  test('a frozen connection is noticed within 20 s', async () => {
    await using outage = await outageOf(() => {});
    const { service, source, run } = outage;
    source.give(1);
    await run.until('open');
    // Answers at first.
    await source.play(6);
    service.peers[0]!.tcp.pause();
    await source.play(20);
    expect(run.statuses.find(({ type }) => type === 'reconnecting')).toMatchObject({
      error: { name: 'ConnectionLostError' },
    });
  });

  test('little audio is sent, some more with each answer, and the rest once it is', async () => {
    await using outage = await outageOf(() => {});
    const { service, clock, source, run } = outage;
    source.give(60);
    await run.until('open');
    await service.peers[0]!.bytes(AHEAD_BYTES.first);
    await source.wait(11);
    const sent = service.peers[0]!.audio.length;
    expect(sent).toBeGreaterThan(AHEAD_BYTES.first);
    expect(sent).toBeLessThanOrEqual(AHEAD_BYTES.first + 2 * AHEAD_BYTES.perPong);
    source.audio$.complete();
    service.peers[0]!.say(connectedMessage);
    await advanceUntil(clock, STEP_MS, service.peers[0]!.endOfStream());
    expect(service.peers[0]!.audio).toHaveLength(60 * 2 * TEST_RATE);
    service.peers[0]!.close(CLOSE.endOfInput);
    expect(await advanceUntil(clock, STEP_MS, run.end)).toBeUndefined();
  });
});
