import { expect, test } from 'vitest';
import { createLinkNotes, type LinkStatus } from '../../../src/cli/print/connectionNotes.ts';

const error = new Error('no answer');
const lost = { type: 'reconnecting', attempt: 1, delayMs: 10, error } as const;
const back = { type: 'connected', id: 'a' } as const;
const noted = (...statuses: readonly LinkStatus[]) => statuses.map(createLinkNotes());

test('that the connection is gone, and there again, is told once', () => {
  expect(noted(back, lost, { ...lost, attempt: 2 }, back, back)).toEqual([
    undefined,
    'connection lost, trying again: no answer',
    undefined,
    'connected again',
    undefined,
  ]);
});

test('a first connection that never was is not called lost', () => {
  expect(noted(lost, { ...lost, attempt: 2 }, back, lost)).toEqual([
    'cannot connect, trying again: no answer',
    undefined,
    'connected',
    'connection lost, trying again: no answer',
  ]);
});

test('channels that are streamed apart are told apart', () => {
  const [left, right] = [{ channel: 0 }, { channel: 1 }];
  expect(
    noted({ ...lost, ...left }, { ...back, ...right }, { ...lost, ...right }, { ...back, ...left }),
  ).toEqual([
    'channel 0: cannot connect, trying again: no answer',
    undefined,
    'channel 1: connection lost, trying again: no answer',
    'channel 0: connected',
  ]);
});
