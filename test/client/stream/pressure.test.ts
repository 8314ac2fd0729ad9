import { from, Observable, Subject } from 'rxjs';
import { describe, expect, test } from 'vitest';
import type { AudioBlock } from '../../../src/audio/format/format.ts';
import { GATE_SECONDS } from '../../../src/client/stream/machine/sending.ts';
import { createGate, type Gate } from '../../../src/flow/gate.ts';
import { CLOSE } from '../../../src/protocol/closeCodes.ts';
import { blockAt, blocksOf, TEST_RATE } from '../../helpers/streamBlocks.ts';
import { streamRun } from '../../helpers/streamRun.ts';
import { connectedMessage, finalMessage, startStreamService } from '../../helpers/streamService.ts';

const SECOND = TEST_RATE;
const BYTES_PER_SECOND = 2 * TEST_RATE;

/** A token that comes when the test says so: until then nothing is sent. */
function heldToken() {
  const { promise, resolve } = Promise.withResolvers<string>();
  return { token: () => promise, let: () => resolve('token') };
}

/** A source that can wait; blocks of a power of two of seconds. */
function waitingSource(seconds: number, blockSeconds: number, gate: Gate) {
  const source = { emitted: 0, audio$: new Observable<AudioBlock>() };
  const frames = blockSeconds * SECOND;
  source.audio$ = from(
    (async function* () {
      for (; source.emitted < seconds; source.emitted += blockSeconds) {
        await gate.whenOpen();
        yield blockAt(source.emitted * SECOND, frames);
      }
    })(),
  );
  return source;
}

describe('the gate', () => {
  test('is held while much audio waits for a connection, and released when it is sent', async () => {
    await using service = await startStreamService();
    const gate = createGate();
    const held = heldToken();
    const source = new Subject<AudioBlock>();
    const run = streamRun(source, { url: service.url, gate, token: held.token });
    for (let i = 0; i < GATE_SECONDS.hold; i++) source.next(blockAt(i * SECOND, SECOND));
    expect(gate.isOpen).toBe(true);
    source.next(blockAt(GATE_SECONDS.hold * SECOND, 1));
    expect(gate.isOpen).toBe(false);
    held.let();
    await gate.whenOpen();
    expect(run.statusTypes).toContain('open');
    source.complete();
    expect(await run.end).toBeUndefined();
    expect(service.peers[0]!.audio).toHaveLength(GATE_SECONDS.hold * BYTES_PER_SECOND + 2);
  });

  test.each([
    ['long', 1],
    ['short', 1 / 64],
  ])(
    'stops a source of %s blocks while the service does not read, and nothing is lost',
    async (_, blockSeconds) => {
      const { promise: mayRead, resolve: read } = Promise.withResolvers<void>();
      await using service = await startStreamService(async peer => {
        peer.say(connectedMessage);
        peer.tcp.pause();
        await mayRead;
        peer.tcp.resume();
        await peer.endOfStream();
        peer.close(CLOSE.endOfInput);
      });
      const gate = createGate();
      const { promise: isHeld, resolve: sawHold } = Promise.withResolvers<void>();
      const watched: Gate = {
        ...gate,
        hold() {
          if (service.peers.length > 0) sawHold();
          return gate.hold();
        },
      };
      const seconds = 512;
      const source = waitingSource(seconds, blockSeconds, gate);
      const run = streamRun(source.audio$, { url: service.url, gate: watched });
      await isHeld;
      expect(source.emitted).toBeLessThan(seconds);
      read();
      expect(await run.end).toBeUndefined();
      expect(source.emitted).toBe(seconds);
      expect(service.peers[0]!.audio).toHaveLength(seconds * BYTES_PER_SECOND);
    },
  );

  test('is released when the stream ends', () => {
    const gate = createGate();
    const source = new Subject<AudioBlock>();
    const run = streamRun(source, { url: 'http://127.0.0.1:1', gate, token: heldToken().token });
    source.next(blockAt(0, 10 * SECOND));
    expect(gate.isOpen).toBe(false);
    run.subscription.unsubscribe();
    expect(gate.isOpen).toBe(true);
  });

  test('is held before a small backlog is full', () => {
    const gate = createGate();
    const source = new Subject<AudioBlock>();
    const options = { gate, token: heldToken().token, maxBufferedSeconds: 1 };
    const run = streamRun(source, { url: 'http://127.0.0.1:1', ...options });
    source.next(blockAt(0, 0.6 * SECOND));
    expect(gate.isOpen).toBe(false);
    run.subscription.unsubscribe();
  });
});

describe('a source that does not wait', () => {
  test('fails the stream when it fills the backlog', async () => {
    const source = new Subject<AudioBlock>();
    const options = { token: heldToken().token, maxBufferedSeconds: 2 };
    const run = streamRun(source, { url: 'http://127.0.0.1:1', ...options });
    source.next(blockAt(0, 2 * SECOND));
    expect(source.observed).toBe(true);
    source.next(blockAt(2 * SECOND, 1));
    expect(await run.end).toMatchObject({ name: 'OverflowError', code: 'overflow' });
    expect(source.observed).toBe(false);
  });

  test('loses its oldest audio when it asks for that, with warnings and times of its own clock', async () => {
    await using service = await startStreamService(async peer => {
      peer.say(connectedMessage);
      await peer.endOfStream();
      peer.say(finalMessage('first', 0, 1), finalMessage('last', 3, 4));
      peer.close(CLOSE.endOfInput);
    });
    const held = heldToken();
    const blocks = blocksOf(100, SECOND / 10);
    const options = { token: held.token, maxBufferedSeconds: 5, overflow: 'dropOldest' } as const;
    const run = streamRun(from(blocks), { url: service.url, ...options });
    held.let();
    expect(await run.end).toBeUndefined();
    const dropped = run.statuses.filter(status => status.type === 'warning');
    expect(dropped.length).toBeGreaterThan(0);
    const ends = dropped.map(warning => ('frames' in warning ? warning.startFrame + warning.frames : 0));
    const starts = dropped.map(warning => ('frames' in warning ? warning.startFrame : -1));
    expect(starts).toEqual([0, ...ends.slice(0, -1)]);
    const [lost, kept] = [ends.at(-1)!, 10 * SECOND - ends.at(-1)!];
    expect(service.peers[0]!.audio).toHaveLength(kept * 2);
    const offset = lost / TEST_RATE;
    expect(run.said.slice(1)).toMatchObject([
      { type: 'final', ts: offset, endTs: offset + 1 },
      { type: 'final', ts: offset + 3, endTs: offset + 4 },
    ]);
  });

  test('loses audio also while the service does not read, and goes on with the right times', async () => {
    const seconds = 600;
    const { promise: mayRead, resolve: read } = Promise.withResolvers<void>();
    await using service = await startStreamService(async peer => {
      peer.say(connectedMessage);
      peer.tcp.pause();
      await mayRead;
      peer.tcp.resume();
      await peer.endOfStream();
      const end = 1000 + peer.audio.length / BYTES_PER_SECOND;
      peer.say(finalMessage('first', 1000, 1001), finalMessage('last', end - 1, end));
      peer.close(CLOSE.endOfInput);
    });
    const source = new Subject<AudioBlock>();
    const options = { startTs: 1000, maxBufferedSeconds: 5, overflow: 'dropOldest' } as const;
    const run = streamRun(source, { url: service.url, ...options });
    source.next(blockAt(0, SECOND));
    await run.until('connected');
    for (let i = 1; i < seconds; i++) source.next(blockAt(i * SECOND, SECOND));
    source.complete();
    read();
    expect(await run.end).toBeUndefined();
    const lost = run.statuses.reduce((sum, status) => sum + ('frames' in status ? status.frames : 0), 0);
    expect(lost).toBeGreaterThan(0);
    expect(service.peers[0]!.audio).toHaveLength(seconds * BYTES_PER_SECOND - lost * 2);
    expect(run.said.slice(1)).toMatchObject([
      { type: 'final', ts: 1000, endTs: 1001 },
      { type: 'final', ts: 1000 + seconds - 1, endTs: 1000 + seconds },
    ]);
  });
});
