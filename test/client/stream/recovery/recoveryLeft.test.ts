import { first, firstValueFrom } from 'rxjs';
import { expect, test } from 'vitest';
import type { TranscribeOptions } from '../../../../src/client/stream/options.ts';
import { transcribe } from '../../../../src/client/stream/transcribe.ts';
import { CLOSE } from '../../../../src/protocol/closeCodes.ts';
import { VirtualClock } from '../../../../src/replay/time/virtualClock.ts';
import type { LiveEvent } from '../../../../src/transcript/model/events.ts';
import { LiveSource } from '../../../helpers/liveSource.ts';
import {
  connectedMessage,
  finalMessage,
  type StreamService,
  startStreamService,
} from '../../../helpers/streamService.ts';

/** A stream that is left within its first event of a type. */
async function leftAt(type: LiveEvent['type'], service: StreamService, options: Partial<TranscribeOptions>) {
  const clock = new VirtualClock();
  const source = new LiveSource(clock);
  const live = transcribe({
    ...{ url: service.url, token: 'token', clock },
    resume: { baseDelayMs: 1000, maxDelayMs: 1000 },
    ...options,
  });
  const connected = firstValueFrom(live.status$.pipe(first(status => status.type === 'connected')));
  const left = firstValueFrom(
    source.audio$.pipe(
      live,
      first(event => event.type === type),
    ),
  );
  source.give(1);
  await connected;
  return { clock, source, left };
}

async function expectNothingLeft(service: StreamService, clock: VirtualClock): Promise<void> {
  expect(clock.pending).toBe(0);
  const { length } = service.peers;
  for (const { closed } of service.peers) await closed;
  for (let turn = 0; turn < 100; turn++) await clock.advanceAsync(1000);
  expect(service.peers).toHaveLength(length);
}

test('whoever leaves at a hole that a break makes leaves nothing behind', async () => {
  await using service = await startStreamService(peer => peer.say(connectedMessage));
  const options = { maxBufferedSeconds: 5, overflow: 'dropOldest' } as const;
  const { clock, source, left } = await leftAt('hole', service, options);
  await source.play(9);
  service.peers[0]!.tcp.resetAndDestroy();
  expect(await left).toMatchObject({ type: 'hole', cause: 'dropped', ts: 0 });
  await expectNothingLeft(service, clock);
  expect(service.peers).toHaveLength(1);
});

test('whoever leaves at the final at which the next connection takes over leaves nothing behind', async () => {
  await using service = await startStreamService(peer => peer.say(connectedMessage));
  const { clock, source, left } = await leftAt('final', service, { sessionSeconds: 5 });
  await source.play(9);
  expect(service.peers).toHaveLength(2);
  service.peers[0]!.say(finalMessage('word', 0, 8));
  await left;
  await expectNothingLeft(service, clock);
});

test('whoever leaves at the silence before a pause, while there is audio again, leaves nothing behind', async () => {
  await using service = await startStreamService(peer => peer.say(connectedMessage));
  const { clock, source, left } = await leftAt('silence', service, { idle: 'close' });
  await source.wait(20);
  await service.peers[0]!.endOfStream();
  source.give(1);
  service.peers[0]!.close(CLOSE.endOfInput);
  expect(await left).toMatchObject({ type: 'silence', ts: 0, endTs: 1 });
  await expectNothingLeft(service, clock);
  expect(service.peers).toHaveLength(1);
});
