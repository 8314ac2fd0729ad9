import { expect, test } from 'vitest';
import { VirtualClock } from '../../../../src/replay/time/virtualClock.ts';
import { LiveSource } from '../../../helpers/liveSource.ts';
import { streamRun } from '../../../helpers/streamRun.ts';
import { startStreamService } from '../../../helpers/streamService.ts';

const MEGABYTE = 1024 * 1024;

test('a service that reads no further while it looks for a recogniser is waited for, but not for ever', async () => {
  await using service = await startStreamService(peer => {
    let bytes = 0;
    peer.socket.on('message', (data: Buffer) => {
      bytes += data.length;
      if (bytes > MEGABYTE) peer.socket.pause();
    });
  });
  const clock = new VirtualClock();
  const source = new LiveSource(clock);
  const options = { maxConnectionWaitSeconds: 300, resume: {} };
  const run = streamRun(source.audio$, { url: service.url, clock, ...options });
  source.give(1);
  await run.until('open');
  await source.play(300);
  expect(run.statusTypes).not.toContain('reconnecting');
  expect(service.peers).toHaveLength(1);
  await source.play(20);
  expect(run.statuses.find(({ type }) => type === 'reconnecting')).toMatchObject({
    error: { name: 'StreamTimeoutError', message: expect.stringContaining('`connected` within 310 s') },
  });
  run.subscription.unsubscribe();
});
