import { expect, test } from 'vitest';
import { type ChannelStatus, createConnectionNotes } from '../../../src/cli/print/connectionNotes.ts';

const error = new Error('no answer');
const lost = { type: 'reconnecting', attempt: 1, delayMs: 10, error } as const;
const back = { type: 'connected', id: 'a' } as const;
const noted = (...statuses: readonly ChannelStatus[]) => statuses.map(createConnectionNotes());

test('a lost and restored connection is noted once', () => {
  expect(noted(back, lost, { ...lost, attempt: 2 }, back, back)).toEqual([
    undefined,
    'Connection lost: no answer. Trying again.',
    undefined,
    'Connected again.',
    undefined,
  ]);
});

test('a first connection that cannot be made is not called lost', () => {
  expect(noted(lost, { ...lost, attempt: 2 }, back, lost)).toEqual([
    'Cannot connect: no answer. Trying again.',
    undefined,
    'Connected.',
    'Connection lost: no answer. Trying again.',
  ]);
});

test('notes name the channel, where channels have streams of their own', () => {
  const [left, right] = [{ channel: 0 }, { channel: 1 }];
  expect(
    noted({ ...lost, ...left }, { ...back, ...right }, { ...lost, ...right }, { ...back, ...left }),
  ).toEqual([
    'Channel 0: Cannot connect: no answer. Trying again.',
    undefined,
    'Channel 1: Connection lost: no answer. Trying again.',
    'Channel 0: Connected.',
  ]);
});
