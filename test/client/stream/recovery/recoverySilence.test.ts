import { Subject } from 'rxjs';
import { expect, test } from 'vitest';
import type { AudioBlock } from '../../../../src/audio/format.ts';
import { blockAt, TEST_RATE } from '../../../helpers/streamBlocks.ts';
import { streamRun } from '../../../helpers/streamRun.ts';
import { connectedMessage, finalMessage, startStreamService } from '../../../helpers/streamService.ts';
import { VirtualClock } from '../../../helpers/virtualClock.ts';

const BACKLOG_SECONDS = 120;
const SILENT_SECONDS = 100;

test('after a backlog it is soon known what is silent', async () => {
  await using service = await startStreamService(async peer => {
    peer.say(connectedMessage);
    await peer.bytes(BACKLOG_SECONDS * TEST_RATE * 2);
    peer.say(finalMessage('late', 0, BACKLOG_SECONDS - 1));
  });
  const clock = new VirtualClock();
  const source = new Subject<AudioBlock>();
  const stream = streamRun(source, { url: service.url, clock });
  source.next(blockAt(0, BACKLOG_SECONDS * TEST_RATE));
  await stream.untilEvents(2);
  for (let second = 0; second < SILENT_SECONDS; second++) {
    source.next(blockAt((BACKLOG_SECONDS + second) * TEST_RATE, TEST_RATE));
    for (let ms = 0; ms < 1000; ms += 50) await clock.advanceAsync(50);
  }
  stream.subscription.unsubscribe();
  expect(stream.events.slice(2)).toContainEqual(
    expect.objectContaining({ type: 'silence', ts: BACKLOG_SECONDS - 1 }),
  );
});
