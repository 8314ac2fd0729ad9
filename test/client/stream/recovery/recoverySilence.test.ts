import { describe, expect, test } from 'vitest';
import { CLOSE } from '../../../../src/protocol/closeCodes.ts';
import { VirtualClock } from '../../../../src/replay/time/virtualClock.ts';
import { advanceUntil } from '../../../helpers/advanceUntil.ts';
import { LiveSource } from '../../../helpers/liveSource.ts';
import { TEST_RATE } from '../../../helpers/streamBlocks.ts';
import { streamRun } from '../../../helpers/streamRun.ts';
import {
  connectedMessage,
  finalMessage,
  type StreamPeer,
  startStreamService,
} from '../../../helpers/streamService.ts';

const BACKLOG_SECONDS = 120;
const SILENT_SECONDS = 100;
const BYTES_PER_SECOND = 2 * TEST_RATE;
const SOON = { baseDelayMs: 1, maxDelayMs: 1 };

test('after a backlog it is soon known what is silent', async () => {
  await using service = await startStreamService(async peer => {
    peer.say(connectedMessage);
    await peer.bytes(BACKLOG_SECONDS * BYTES_PER_SECOND);
    peer.say(finalMessage('late', 0, BACKLOG_SECONDS - 1));
  });
  const clock = new VirtualClock();
  const source = new LiveSource(clock);
  const stream = streamRun(source.audio$, { url: service.url, clock });
  source.give(BACKLOG_SECONDS);
  await stream.untilEvents(2);
  await source.play(SILENT_SECONDS);
  stream.subscription.unsubscribe();
  expect(stream.events.slice(2)).toContainEqual(
    expect.objectContaining({ type: 'silence', ts: BACKLOG_SECONDS - 1 }),
  );
});

describe('audio that no service has read is never reported as silence', () => {
  /** There is no recogniser in the end. */
  async function turnAway(peer: StreamPeer, source: LiveSource): Promise<void> {
    await source.play(150);
    peer.close(CLOSE.noInstance);
  }

  test('after a pause in which the connection was closed', async () => {
    await using service = await startStreamService(async peer => {
      if (service.peers.length === 2) return;
      peer.say(connectedMessage);
      await peer.endOfStream();
      peer.close(CLOSE.endOfInput);
    });
    const clock = new VirtualClock();
    const source = new LiveSource(clock);
    const options = { idle: 'close', maxConnectionWaitSeconds: 600 } as const;
    const run = streamRun(source.audio$, { url: service.url, clock, resume: SOON, ...options });
    source.give(1);
    await run.until('connected');
    await source.wait(20);
    await run.until('closed');
    source.give(1);
    await run.until('open', 2);
    await turnAway(service.peers[1]!, source);
    await advanceUntil(clock, 1, run.until('connected', 2));
    expect(service.peers.map(({ query }) => query.get('start_ts'))).toEqual([null, '1', '1']);
    expect(run.events.filter(({ type }) => type === 'silence')).toEqual([
      { type: 'silence', ts: 0, endTs: 1 },
    ]);
    run.subscription.unsubscribe();
  });

  test('on a second connection that takes over before it is connected', async () => {
    await using service = await startStreamService(peer => {
      if (service.peers.length !== 2) peer.say(connectedMessage);
    });
    const clock = new VirtualClock();
    const source = new LiveSource(clock);
    const options = { sessionSeconds: 20, maxConnectionWaitSeconds: 600 };
    const run = streamRun(source.audio$, { url: service.url, clock, resume: SOON, ...options });
    source.give(1);
    await run.until('connected');
    await source.play(24);
    service.peers[0]!.say(finalMessage('word', 0, 24));
    await run.untilEvents(2);
    expect(service.peers).toHaveLength(2);
    service.peers[0]!.tcp.resetAndDestroy();
    await turnAway(service.peers[1]!, source);
    await advanceUntil(clock, 1, run.until('connected', 2));
    expect(service.peers[2]!.query.get('start_ts')).toBe('24');
    expect(run.events.filter(({ type }) => type === 'silence')).toEqual([]);
    run.subscription.unsubscribe();
  });
});

describe('a session that gets old in a long silence', () => {
  async function oldSession(service: { readonly url: string }) {
    const clock = new VirtualClock();
    const source = new LiveSource(clock);
    const run = streamRun(source.audio$, { url: service.url, clock, resume: SOON, sessionSeconds: 100 });
    source.give(1);
    await run.until('connected');
    await source.play(200);
    return { clock, source, run };
  }
  /** Empty frames of a source whose samples encode their positions. */
  const padsOf = ({ frames }: StreamPeer) => frames.filter(frame => frame.every(byte => byte === 0));

  test('keeps the next one alive until the next final, and then is not behind', async () => {
    await using service = await startStreamService(peer => peer.say(connectedMessage));
    const { source, run } = await oldSession(service);
    const [first, second] = service.peers;
    // A service closes what stays without audio for 15 s.
    expect(second!.frames.length).toBeGreaterThan(100 / 15);
    expect(padsOf(second!)).toEqual(second!.frames);
    first!.say(finalMessage('late', 198, 200));
    await run.until('connected', 2);
    await source.play(10);
    const padSeconds = padsOf(second!).reduce((sum, { length }) => sum + length, 0) / BYTES_PER_SECOND;
    await second!.bytes((source.seconds - 200 + padSeconds) * BYTES_PER_SECOND);
    const heardTs = Number(second!.query.get('start_ts')) + padSeconds;
    second!.say(finalMessage('next', heardTs + 1, heardTs + 2));
    const wanted = { type: 'final', ts: expect.closeTo(201, 6), endTs: expect.closeTo(202, 6) };
    await expect.poll(() => run.events.at(-1)).toMatchObject(wanted);
    const lags = run.statuses.flatMap(status => (status.type === 'progress' ? [status.lagSeconds] : []));
    expect(Math.max(...lags)).toBeLessThan(5);
    expect(run.statusTypes).not.toContain('reconnecting');
    run.subscription.unsubscribe();
  });

  test('hands over after four minutes at the latest', async () => {
    await using service = await startStreamService(peer => peer.say(connectedMessage));
    const { source, run } = await oldSession(service);
    expect(run.statusTypes.filter(type => type === 'connected')).toHaveLength(1);
    await source.play(160);
    expect(run.statusTypes.filter(type => type === 'connected')).toHaveLength(2);
    run.subscription.unsubscribe();
  });
});
