import { describe, expect, test } from 'vitest';
import { ConnectionLostError, UnauthorizedError } from '../../../../src/client/serviceErrors.ts';
import {
  nextTry,
  type Outage,
  RECONNECT_DEFAULTS,
} from '../../../../src/client/stream/recovery/reconnect.ts';
import { Retries } from '../../../../src/client/stream/recovery/retries.ts';
import { VirtualClock } from '../../../../src/replay/time/virtualClock.ts';

const lost = new ConnectionLostError('connection-lost', 'lost', { advice: '', retry: true });
const refused = new UnauthorizedError('unauthorized', 'refused', { advice: '' });
const most = () => 1;

/** The bounds of the waits of so many failures, a second apart. */
function waits(count: number, wasConnected: boolean): readonly (number | undefined)[] {
  let outage: Outage | undefined;
  return Array.from({ length: count }, (_, second) => {
    const failure = { error: lost, nowMs: second * 1000, wasConnected };
    const next = nextTry(outage, failure, { ...RECONNECT_DEFAULTS, random: most });
    outage = next.outage;
    return next.delayMs;
  });
}

describe('the next try', () => {
  test('comes after waits that double up to a bound', () => {
    expect(waits(8, true)).toEqual([250, 500, 1000, 2000, 4000, 8000, 15_000, 15_000]);
  });

  test('is soon given up where there was never a connection', () => {
    expect(waits(7, false)).toEqual([250, 500, 1000, 2000, 4000, undefined, undefined]);
  });

  test('is given up when an outage lasts too long', () => {
    const failure = { error: lost, nowMs: 7_200_000, wasConnected: true };
    expect(nextTry({ sinceMs: 0, failures: 9 }, failure, RECONNECT_DEFAULTS)).not.toHaveProperty('delayMs');
  });

  test.each([
    ['that is final', refused],
    ['of no service', new TypeError('oops')],
  ])('does not follow an error %s', (_, error) => {
    const failure = { error, nowMs: 0, wasConnected: true };
    expect(nextTry(undefined, failure, RECONNECT_DEFAULTS)).not.toHaveProperty('delayMs');
  });

  test('comes at any time within the bound', () => {
    const failure = { error: lost, nowMs: 0, wasConnected: true };
    const delayMs = (random: number) =>
      nextTry(undefined, failure, { ...RECONNECT_DEFAULTS, random: () => random }).delayMs;
    expect([0, 0.5, 1].map(delayMs)).toEqual([0, 125, 250]);
  });
});

describe('retries', () => {
  const OPTIONS = { ...RECONNECT_DEFAULTS, giveUpAfterSeconds: 60 };
  const none = () => {};

  test('end with an outage that is too long, although services say that they are connected', () => {
    const clock = new VirtualClock();
    const retries = new Retries(OPTIONS, clock);
    for (let second = 0; second < 60; second++) {
      retries.connected();
      expect(retries.failed(lost, none)).toBeDefined();
      clock.advance(1000);
    }
    expect(retries.failed(lost, none)).toBeUndefined();
  });

  test('begin anew when something is settled', () => {
    const clock = new VirtualClock();
    const retries = new Retries(OPTIONS, clock);
    retries.connected();
    retries.failed(lost, none);
    clock.advance(59_000);
    retries.progressed();
    clock.advance(2000);
    expect(retries.failed(lost, none)).toBeDefined();
  });

  test('do not begin anew because a connection holds', () => {
    const clock = new VirtualClock();
    const retries = new Retries(OPTIONS, clock);
    retries.failed(lost, none);
    retries.connected();
    clock.advance(60_000);
    expect(retries.failed(lost, none)).toBeUndefined();
  });

  test('are none where none are wanted', () => {
    expect(new Retries(false, new VirtualClock()).failed(lost, none)).toBeUndefined();
  });
});
