import { setImmediate } from 'node:timers/promises';
import { from } from 'rxjs';
import { describe, expect, test, vi } from 'vitest';
import { createGate } from '../../../../src/flow/gate.ts';
import { CLOSE } from '../../../../src/protocol/closeCodes.ts';
import { VirtualClock } from '../../../../src/replay/time/virtualClock.ts';
import { advanceUntil } from '../../../helpers/advanceUntil.ts';
import { LiveSource } from '../../../helpers/liveSource.ts';
import { blockAt, TEST_RATE } from '../../../helpers/streamBlocks.ts';
import { streamRun } from '../../../helpers/streamRun.ts';
import { connectedMessage, finalMessage, startStreamService } from '../../../helpers/streamService.ts';

const BYTES_PER_SECOND = 2 * TEST_RATE;
const SOON = { baseDelayMs: 1, maxDelayMs: 1 };

describe('a source that waits at the gate', () => {
  test('goes on when the backlog of a break is sent', async () => {
    await using service = await startStreamService(peer => peer.say(connectedMessage));
    const [clock, gate] = [new VirtualClock(), createGate()];
    const source = new LiveSource(clock);
    const run = streamRun(source.audio$, { url: service.url, clock, gate, resume: SOON });
    source.give(1);
    await run.until('connected');
    await source.play(11);
    service.peers[0]!.tcp.resetAndDestroy();
    await advanceUntil(clock, 1, run.until('connected', 2));
    // All twelve seconds are to be sent again, and only five of them go at once.
    expect(gate.isOpen).toBe(false);
    await advanceUntil(clock, 50, gate.whenOpen());
    await source.play(1);
    expect(gate.isOpen).toBe(true);
    run.subscription.unsubscribe();
  });

  test('waits for finals as well, before there is more without text than may be kept', async () => {
    const maxBufferedSeconds = 150;
    const seconds = 250;
    let given = 0;
    let settled = 0;
    await using service = await startStreamService(async peer => {
      peer.say(connectedMessage);
      while (settled < seconds) {
        while (given < seconds && given - settled < maxBufferedSeconds - 3) await setImmediate();
        // A source that did not wait here would give more than there is room for.
        for (let turn = 0; turn < 50; turn++) await setImmediate();
        await peer.bytes(given * BYTES_PER_SECOND);
        peer.say(finalMessage('word', settled, given));
        settled = given;
      }
      await peer.endOfStream();
      peer.close(CLOSE.endOfInput);
    });
    const gate = createGate();
    async function* audio() {
      for (; given < seconds; given++) {
        await gate.whenOpen();
        yield blockAt(given * TEST_RATE, TEST_RATE);
      }
    }
    const run = streamRun(from(audio()), { url: service.url, gate, resume: {}, maxBufferedSeconds });
    expect(await run.end).toBeUndefined();
    expect(run.events.filter(({ type }) => type === 'final').length).toBeGreaterThan(1);
    expect(service.peers).toHaveLength(1);
  });
});

describe('a gap of the source', () => {
  test('is neither kept nor behind, and is passed over after a break', async () => {
    await using service = await startStreamService(peer => peer.say(connectedMessage));
    const clock = new VirtualClock();
    const source = new LiveSource(clock);
    const resume = { baseDelayMs: 60_000, maxDelayMs: 60_000 };
    const run = streamRun(source.audio$, { url: service.url, clock, resume, maxBufferedSeconds: 600 });
    source.give(1);
    await run.until('connected');
    service.peers[0]!.say(finalMessage('first', 0, 1));
    await run.untilEvents(2);
    source.skip(699);
    await source.play(1);
    vi.spyOn(Math, 'random').mockReturnValue(0.99);
    service.peers[0]!.tcp.resetAndDestroy();
    await run.until('reconnecting');
    vi.restoreAllMocks();
    await source.play(2);
    const lags = run.statuses.flatMap(status => (status.type === 'progress' ? [status.lagSeconds] : []));
    expect(lags.at(-1)).toBe(3);
    expect(Math.max(...lags)).toBe(3);
    await advanceUntil(clock, 100, run.until('connected', 2));
    const [, peer] = service.peers;
    expect(peer!.query.get('start_ts')).toBe('700');
    expect(await advanceUntil(clock, 50, peer!.bytes(3 * BYTES_PER_SECOND))).toHaveLength(
      3 * BYTES_PER_SECOND,
    );
    expect(run.events.filter(({ type }) => type === 'hole')).toEqual([
      { type: 'hole', cause: 'gap', ts: 1, endTs: 700 },
    ]);
    run.subscription.unsubscribe();
  });

  test('may be before all audio', async () => {
    await using service = await startStreamService(async peer => {
      peer.say(connectedMessage);
      await peer.bytes(BYTES_PER_SECOND);
      if (service.peers.length === 1) return peer.tcp.resetAndDestroy();
      await peer.endOfStream();
      const startTs = Number(peer.query.get('start_ts'));
      peer.say(finalMessage('late', startTs + 0.2, startTs + 0.7));
      peer.close(CLOSE.endOfInput);
    });
    const clock = new VirtualClock();
    const source = new LiveSource(clock);
    const run = streamRun(source.audio$, { url: service.url, clock, resume: SOON, maxBufferedSeconds: 600 });
    source.skip(700);
    source.give(1);
    await advanceUntil(clock, 1, run.until('connected', 2));
    source.audio$.complete();
    expect(await advanceUntil(clock, 1, run.end)).toBeUndefined();
    expect(service.peers.map(({ query }) => query.get('start_ts'))).toEqual([null, '700']);
    expect(run.events.filter(({ type }) => type !== 'connected')).toMatchObject([
      { type: 'hole', cause: 'gap', ts: 0, endTs: 700 },
      { type: 'silence', ts: 700, endTs: 700.2 },
      { type: 'final', ts: 700.2, endTs: 700.7 },
      { type: 'silence', ts: 700.7, endTs: 701 },
    ]);
  });
});
