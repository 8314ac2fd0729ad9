import { describe, expect, test } from 'vitest';
import type { ChannelStatus } from '../../../src/cli/print/connectionNotes.ts';
import { createOutages, OUTAGE_MS } from '../../../src/cli/print/outages.ts';
import { VirtualClock } from '../../../src/replay/time/virtualClock.ts';

const lost = { type: 'reconnecting', attempt: 1, delayMs: 10, error: new Error('gone') } as const;
const back = { type: 'connected', id: 'a' } as const;

/** Returns the states after statuses and milliseconds that pass. */
function reported(...steps: readonly (ChannelStatus | number)[]): readonly boolean[] {
  const clock = new VirtualClock();
  const outages = createOutages(clock);
  const paused: boolean[] = [];
  outages.paused$.subscribe(value => paused.push(value));
  for (const step of steps) {
    if (typeof step === 'number') clock.advance(step);
    else outages.status(step);
  }
  outages.close();
  expect(clock.pending).toBe(0);
  return paused;
}

describe('an outage', () => {
  test('begins some time after a connection is lost, and ends with the next one', () => {
    expect(reported(back, lost, OUTAGE_MS - 1)).toEqual([false]);
    expect(reported(back, lost, OUTAGE_MS / 2, { ...lost, attempt: 2 }, OUTAGE_MS / 2)).toEqual([
      false,
      true,
    ]);
    expect(reported(back, lost, OUTAGE_MS, { ...lost, attempt: 2 }, OUTAGE_MS, back)).toEqual([
      false,
      true,
      false,
    ]);
  });

  test('does not begin when the connection is soon restored', () => {
    expect(reported(lost, OUTAGE_MS / 2, back, lost, OUTAGE_MS / 2)).toEqual([false]);
  });

  test('begins at once when streaming has ended', () => {
    expect(reported(back, { type: 'fallback' })).toEqual([false, true]);
  });

  test('does not begin while another channel is live', () => {
    const [left, right] = [{ channel: 0 }, { channel: 1 }];
    const both = [
      { ...back, ...left },
      { ...back, ...right },
      { ...lost, ...left },
    ];
    expect(reported(...both, OUTAGE_MS)).toEqual([false]);
    expect(reported(...both, { ...lost, ...right }, OUTAGE_MS)).toEqual([false, true]);
  });
});
