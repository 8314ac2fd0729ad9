import fs from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import { VirtualClock } from '../../../../src/replay/time/virtualClock.ts';
import { temporaryDirectory } from '../../../helpers/dataDirectory.ts';
import { LiveSource } from '../../../helpers/liveSource.ts';
import { TEST_RATE } from '../../../helpers/streamBlocks.ts';
import { type StreamRun, streamRun } from '../../../helpers/streamRun.ts';
import {
  connectedMessage,
  finalMessage,
  type StreamService,
  startStreamService,
} from '../../../helpers/streamService.ts';

/** Error of a disk that is full or broken; undefined while it works. */
let fault: { readonly call: 'readSync' | 'writeSync'; readonly code: string } | undefined;

beforeAll(() => {
  for (const call of ['readSync', 'writeSync'] as const) {
    const real = fs[call] as typeof fs.writeSync;
    const failing = (...args: Parameters<typeof real>) => {
      if (fault?.call !== call) return real(...args);
      throw Object.assign(new Error(`${fault.code}: ${call}`), { code: fault.code });
    };
    vi.spyOn(fs, call).mockImplementation(failing as never);
  }
  // Also for modules that import the functions by name.
  syncBuiltinESMExports();
});
afterAll(() => {
  vi.restoreAllMocks();
  syncBuiltinESMExports();
});

const uncaught: unknown[] = [];
const onUncaught = (error: unknown) => uncaught.push(error);
beforeEach(() => {
  process.on('uncaughtException', onUncaught).on('unhandledRejection', onUncaught);
});
afterEach(() => {
  fault = undefined;
  process.off('uncaughtException', onUncaught).off('unhandledRejection', onUncaught);
  expect(uncaught.splice(0)).toEqual([]);
});

interface Spooled {
  readonly service: StreamService;
  readonly source: LiveSource;
  readonly run: StreamRun;
  readonly path: string;
}

async function spooledRun(service: StreamService): Promise<Spooled> {
  const path = join(await temporaryDirectory(), 'talk.spool');
  const clock = new VirtualClock();
  const source = new LiveSource(clock);
  const run = streamRun(source.audio$, { url: service.url, clock, resume: {}, spool: { path } });
  source.give(1);
  await run.until('connected');
  return { service, source, run, path };
}

async function expectStoreError({ run, service, source }: Omit<Spooled, 'path'>): Promise<void> {
  expect(await run.end).toMatchObject({ code: 'store' });
  expect(run.statusTypes.filter(type => type === 'failed')).toHaveLength(1);
  expect(source.audio$.observed).toBe(false);
  for (const { closed } of service.peers) await closed;
}

test('a spool that is full at a final ends the stream, and the final is reported', async () => {
  await using service = await startStreamService(peer => peer.say(connectedMessage));
  const spooled = await spooledRun(service);
  fault = { call: 'writeSync', code: 'ENOSPC' };
  service.peers[0]!.say(finalMessage('word', 0, 0.5));
  await expectStoreError(spooled);
  expect(spooled.run.events.filter(({ type }) => type === 'final')).toMatchObject([{ ts: 0, endTs: 0.5 }]);
  expect(fs.existsSync(spooled.path)).toBe(true);
});

test('a spool that is full at the end ends the stream', async () => {
  await using service = await startStreamService(peer => peer.say(connectedMessage));
  const spooled = await spooledRun(service);
  fault = { call: 'writeSync', code: 'ENOSPC' };
  spooled.source.audio$.complete();
  await expectStoreError(spooled);
  expect(fs.existsSync(spooled.path)).toBe(true);
});

test('a spool that is full when audio comes ends the stream', async () => {
  await using service = await startStreamService(peer => peer.say(connectedMessage));
  const spooled = await spooledRun(service);
  fault = { call: 'writeSync', code: 'EDQUOT' };
  spooled.source.give(1);
  await expectStoreError(spooled);
});

test('audio that cannot be read again after a break ends the stream', async () => {
  await using service = await startStreamService(peer => peer.say(connectedMessage));
  const clock = new VirtualClock();
  const source = new LiveSource(clock);
  const options = { resume: { baseDelayMs: 1, maxDelayMs: 1 }, memorySeconds: 1 };
  const run = streamRun(source.audio$, { url: service.url, clock, ...options });
  source.give(1);
  await run.until('connected');
  source.give(20);
  await service.peers[0]!.bytes(21 * 2 * TEST_RATE);
  fault = { call: 'readSync', code: 'EIO' };
  service.peers[0]!.tcp.resetAndDestroy();
  await run.until('reconnecting');
  await source.wait(1);
  await expectStoreError({ run, service, source });
});
