import { describe, expect, test } from 'vitest';
import { Pacer } from '../../../../src/client/stream/recovery/catchUp.ts';
import { VirtualClock } from '../../../../src/replay/time/virtualClock.ts';

const RATE = 16_000;

/** Sends a backlog of so many seconds, while a second of audio comes each second; gives the lag after each second. */
function lagsOf(backlogSeconds: number, { isLive }: { readonly isLive: boolean }): readonly number[] {
  const clock = new VirtualClock();
  let waiting = backlogSeconds * RATE;
  const send = () => {
    for (;;) {
      const allowed = pacer.allow(waiting, RATE);
      if (allowed === 0) return;
      waiting -= allowed;
    }
  };
  const options = { sampleRate: RATE, speed: 2, burstSeconds: 5, isLive: () => isLive, clock };
  const pacer = new Pacer({ ...options, onTime: send });
  send();
  const lags = [waiting / RATE];
  for (let tenth = 1; tenth <= 200; tenth++) {
    waiting += RATE / 10;
    send();
    clock.advance(100);
    if (tenth % 10 === 0) lags.push(waiting / RATE);
  }
  // Nothing is left to wake up for.
  expect(clock.pending).toBeLessThanOrEqual(waiting === 0 ? 0 : 1);
  return lags;
}

describe('a backlog', () => {
  test('of a live source goes out in a burst, and then at twice real time', () => {
    const lags = lagsOf(15, { isLive: true });
    expect(lags[0]).toBe(10);
    for (const [second, lag] of lags.slice(0, 10).entries())
      expect(Math.abs(lag - (10 - second))).toBeLessThan(0.3);
    expect(lags.slice(11)).toEqual(new Array(10).fill(0));
  });

  test('of a source that can wait goes out at once', () => {
    expect(lagsOf(15, { isLive: false })).toEqual(new Array(21).fill(0));
  });

  test('that is less than a burst goes out at once', () => {
    expect(lagsOf(5, { isLive: true })).toEqual(new Array(21).fill(0));
  });
});
