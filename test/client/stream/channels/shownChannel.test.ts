import { NEVER, Subject } from 'rxjs';
import { expect, test } from 'vitest';
import { channelsApart } from '../../../../src/client/stream/channels/channelsApart.ts';
import type { StreamStatus } from '../../../../src/client/stream/status.ts';
import type { LiveEvent } from '../../../../src/transcript/model/events.ts';
import { partial } from '../../../helpers/transcriptEvents.ts';

/** Two channels whose events and statuses come by hand, and the events that are shown. */
function twoStreams() {
  const channels = [0, 1].map(() => ({
    events$: new Subject<LiveEvent>(),
    status$: new Subject<StreamStatus>(),
  }));
  const shown: LiveEvent[] = [];
  const live = channelsApart({
    open: channel => Object.assign(() => channels[channel]!.events$, { status$: channels[channel]!.status$ }),
    channels: 2,
  });
  NEVER.pipe(live).subscribe(event => shown.push(event));
  return { channels, shown };
}

test.each([
  { type: 'reconnecting', attempt: 1, delayMs: 10, error: new Error('gone') },
  { type: 'fallback' },
] as const)('a channel that is $type gives way to the one that goes on', status => {
  const { channels, shown } = twoStreams();
  channels[0]!.events$.next(partial('I was', 0, 1));
  channels[1]!.events$.next(partial('yes', 0.5, 1));
  expect(shown).toHaveLength(1);
  channels[0]!.status$.next(status);
  channels[1]!.events$.next(partial('yes indeed', 0.5, 2));
  expect(shown.slice(1)).toMatchObject([
    { ...partial('yes', 0.5, 1), channel: 1 },
    { ...partial('yes indeed', 0.5, 2), channel: 1 },
  ]);
});

test('a channel that is connected again waits until the other is settled', () => {
  const { channels, shown } = twoStreams();
  channels[0]!.events$.next(partial('I was', 0, 1));
  channels[0]!.status$.next({ type: 'reconnecting', attempt: 1, delayMs: 10, error: new Error('gone') });
  channels[1]!.events$.next(partial('yes', 0.5, 1));
  channels[0]!.events$.next(partial('I was', 0, 1));
  expect(shown.map(event => event.type === 'partial' && event.channel)).toEqual([0, 1]);
});
