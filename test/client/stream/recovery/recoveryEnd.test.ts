import { describe, expect, test } from 'vitest';
import type { Fallback, Hole } from '../../../../src/client/stream/fallback.ts';
import { CLOSE } from '../../../../src/protocol/closeCodes.ts';
import { VirtualClock } from '../../../../src/replay/time/virtualClock.ts';
import { emptyLiveTranscript, mergeEvent } from '../../../../src/transcript/merge/merge.ts';
import type { LiveEvent } from '../../../../src/transcript/model/events.ts';
import { advanceUntil } from '../../../helpers/advanceUntil.ts';
import { LiveSource } from '../../../helpers/liveSource.ts';
import { TEST_RATE } from '../../../helpers/streamBlocks.ts';
import { type StreamRun, streamRun } from '../../../helpers/streamRun.ts';
import {
  connectedMessage,
  endPolitely,
  type StreamPeer,
  startStreamService,
} from '../../../helpers/streamService.ts';

const BYTES_PER_SECOND = 2 * TEST_RATE;
const SOON = { baseDelayMs: 1, maxDelayMs: 1 };
const HELLO = { type: 'partial', ts: 0, end_ts: 1.9, elements: [{ type: 'text', value: 'hello' }] };

const holesOf = ({ events }: StreamRun) => events.filter(({ type }) => type === 'hole');
const tailOf = (events: readonly LiveEvent[]) => events.reduce(mergeEvent, emptyLiveTranscript).tail;

/** Connects, reads so much audio, and then sends words that are not final. */
async function saysHello(peer: StreamPeer, seconds: number): Promise<void> {
  peer.say(connectedMessage);
  await peer.bytes(seconds * BYTES_PER_SECOND);
  peer.say(HELLO);
}

describe('a close with 1000 while words stand', () => {
  async function closedWith(reason: string) {
    await using service = await startStreamService(async peer => {
      if (service.peers.length > 1) {
        peer.say(connectedMessage);
        return endPolitely(peer);
      }
      await saysHello(peer, 2);
      await peer.endOfStream();
      peer.socket.close(1000, reason);
    });
    const clock = new VirtualClock();
    const source = new LiveSource(clock);
    const run = streamRun(source.audio$, { url: service.url, clock, resume: SOON });
    source.give(2);
    await run.untilEvents(2);
    source.audio$.complete();
    expect(await advanceUntil(clock, 1, run.end)).toBeUndefined();
    return { run, audio: service.peers.map(({ audio }) => audio) };
  }

  test('without a reason is no end: words without a final are recognised again', async () => {
    const { run, audio } = await closedWith('');
    expect(audio).toHaveLength(2);
    expect(audio[1]).toEqual(audio[0]);
    expect(run.events.filter(({ type }) => type === 'final')).toHaveLength(1);
  });

  test('is the end when the service says so', async () => {
    const { audio } = await closedWith(CLOSE.endOfInput.reason);
    expect(audio).toHaveLength(1);
  });
});

describe('what has no text when a stream fails', () => {
  test('because of its source is a hole', async () => {
    await using service = await startStreamService(peer => saysHello(peer, 2));
    const source = new LiveSource(new VirtualClock());
    const run = streamRun(source.audio$, { url: service.url, resume: {} });
    source.give(2);
    await run.untilEvents(2);
    const unplugged = new Error('unplugged');
    source.audio$.error(unplugged);
    expect(await run.end).toBe(unplugged);
    expect(run.events.slice(2)).toEqual([{ type: 'hole', cause: 'gave-up', ts: 0, endTs: 2 }]);
    expect(tailOf(run.events)).toBeUndefined();
  });

  test('because too much of it has no text is a hole', async () => {
    await using service = await startStreamService(peer => saysHello(peer, 2));
    const source = new LiveSource(new VirtualClock());
    const run = streamRun(source.audio$, { url: service.url, resume: {}, maxBufferedSeconds: 2 });
    source.give(2);
    await run.untilEvents(2);
    source.give(1);
    expect(await run.end).toMatchObject({ name: 'OverflowError', code: 'overflow' });
    expect(run.events.slice(2)).toEqual([{ type: 'hole', cause: 'gave-up', ts: 0, endTs: 3 }]);
  });

  test('before a service was ever connected is none: it may be tried again from the start', async () => {
    const source = new LiveSource(new VirtualClock());
    const run = streamRun(source.audio$, {
      ...{ url: 'http://127.0.0.1:1', resume: {}, maxBufferedSeconds: 2 },
      token: () => new Promise<string>(() => {}),
    });
    source.give(3);
    expect(await run.end).toMatchObject({ name: 'OverflowError' });
    expect(run.events).toEqual([]);
  });
});

describe('with a fallback', () => {
  /** Takes down what it is to repair, and repairs nothing. */
  function listedFallback(asyncOnly: boolean) {
    const holes: Hole[] = [];
    const fallback: Fallback = {
      ...{ asyncOnly, marginSeconds: 0 },
      start: () => ({
        observe() {},
        repair: hole => holes.push(hole),
        done: async () => {},
        close() {},
      }),
    };
    return { fallback, holes };
  }

  test('a stream of which nothing is to be streamed says so', async () => {
    const source = new LiveSource(new VirtualClock());
    const { fallback, holes } = listedFallback(true);
    const run = streamRun(source.audio$, { url: 'http://127.0.0.1:1', fallback });
    source.give(3);
    source.audio$.complete();
    expect(await run.end).toBeUndefined();
    expect(run.statuses).toEqual([{ type: 'fallback' }]);
    const hole = { type: 'hole', cause: 'async-only', ts: 0, endTs: 3 };
    expect(run.events).toEqual([hole]);
    expect(holes).toMatchObject([{ startFrame: 0, endFrame: 3 * TEST_RATE, event: hole }]);
  });

  test('a stream that is given up reports the hole so far at once, without any word of it', async () => {
    await using service = await startStreamService(async peer => {
      await saysHello(peer, 2);
      peer.close(CLOSE.outOfCredit);
    });
    const source = new LiveSource(new VirtualClock());
    const { fallback, holes } = listedFallback(false);
    const run = streamRun(source.audio$, { url: service.url, fallback, resume: {} });
    source.give(2);
    await run.untilEvents(3);
    expect(run.statuses.at(-1)).toMatchObject({ type: 'fallback', error: { name: 'OutOfCreditError' } });
    expect(tailOf(run.events.slice(0, 2))).toBeDefined();
    expect(tailOf(run.events)).toBeUndefined();
    source.give(2);
    source.audio$.complete();
    expect(await run.end).toBeUndefined();
    const reported = [
      { type: 'hole', cause: 'out-of-credit', ts: 0, endTs: 2 },
      { type: 'hole', cause: 'out-of-credit', ts: 2, endTs: 4 },
    ];
    expect(holesOf(run)).toEqual(reported);
    expect(holes.map(({ event }) => event)).toEqual(reported);
  });
});
