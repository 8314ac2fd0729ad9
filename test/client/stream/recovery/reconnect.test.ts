import { describe, expect, test } from 'vitest';
import {
  ConnectionLostError,
  ShuttingDownError,
  TooManyRequestsError,
  UnauthorizedError,
} from '../../../../src/client/serviceErrors.ts';
import {
  nextAttempt,
  type Outage,
  RECONNECT_DEFAULTS,
} from '../../../../src/client/stream/recovery/reconnect.ts';

const lost = new ConnectionLostError('connection-lost', 'lost', { advice: '', retry: true });
const refused = new UnauthorizedError('unauthorized', 'refused', { advice: '' });
const shuttingDown = new ShuttingDownError('unavailable', 'shutting down', { advice: '', retry: true });
const most = () => 1;

/** The bounds of the waits of so many failures, a second apart. */
function waits(count: number, wasConnected: boolean): readonly (number | undefined)[] {
  let outage: Outage | undefined;
  return Array.from({ length: count }, (_, second) => {
    const failure = { error: lost, nowMs: second * 1000, wasConnected };
    const next = nextAttempt(outage, failure, { ...RECONNECT_DEFAULTS, random: most });
    outage = next.outage;
    return next.delayMs;
  });
}

describe('the next try', () => {
  test('comes after waits that double up to a bound', () => {
    expect(waits(8, true)).toEqual([250, 500, 1000, 2000, 4000, 8000, 15_000, 15_000]);
  });

  test('is soon given up where there was never a connection', () => {
    expect(waits(7, false)).toEqual([250, 500, 1000, 1000, 500, undefined, undefined]);
  });

  test('is given up after the time without an answer, that of the first failure included', () => {
    const failure = { error: lost, nowMs: 8000, waitedMs: 8000, wasConnected: true };
    const options = { ...RECONNECT_DEFAULTS, random: most, giveUpAfterSeconds: 8 };
    expect(nextAttempt(undefined, failure, options)).not.toHaveProperty('delayMs');
    // Where there was never a connection, the wait for a recogniser does not count, but that for a handshake does.
    const soon = { ...RECONNECT_DEFAULTS, random: most };
    const first = { ...failure, wasConnected: false };
    expect(nextAttempt(undefined, first, soon).delayMs).toBe(250);
    expect(nextAttempt(undefined, { ...first, isHandshake: true }, soon)).not.toHaveProperty('delayMs');
  });

  test('is given up when an outage lasts too long', () => {
    const failure = { error: lost, nowMs: 7_200_000, wasConnected: true };
    expect(
      nextAttempt({ sinceMs: 0, waitedMs: 0, failures: 9 }, failure, RECONNECT_DEFAULTS),
    ).not.toHaveProperty('delayMs');
  });

  test('follows at once when a service shuts down, and after waits when the next one does too', () => {
    const options = { ...RECONNECT_DEFAULTS, random: most };
    const failure = { error: shuttingDown, nowMs: 0, wasConnected: true };
    const first = nextAttempt(undefined, failure, options);
    expect(first.delayMs).toBe(0);
    const second = nextAttempt(first.outage, failure, options);
    expect(second.delayMs).toBe(250);
    expect(nextAttempt(second.outage, failure, options).delayMs).toBe(500);
    expect(nextAttempt(undefined, { ...failure, wasConnected: false }, options).delayMs).toBe(250);
  });

  test.each([
    ['that is final', refused],
    ['of no service', new TypeError('oops')],
  ])('does not follow an error %s', (_, error) => {
    const failure = { error, nowMs: 0, wasConnected: true };
    expect(nextAttempt(undefined, failure, RECONNECT_DEFAULTS)).not.toHaveProperty('delayMs');
  });

  test('follows a limit of the account for a minute, as it may count the connection that was lost', () => {
    const error = new TooManyRequestsError('too-many-requests', 'full', { advice: '' });
    const delayMs = (outage: Outage | undefined, nowMs: number, wasConnected = true) =>
      nextAttempt(outage, { error, nowMs, wasConnected }, { ...RECONNECT_DEFAULTS, random: most }).delayMs;
    expect(delayMs({ sinceMs: 0, waitedMs: 0, failures: 1 }, 59_999)).toBe(500);
    expect(delayMs({ sinceMs: 0, waitedMs: 0, failures: 1 }, 60_000)).toBeUndefined();
    expect(delayMs(undefined, 0)).toBeUndefined();
    expect(delayMs({ sinceMs: 0, waitedMs: 0, failures: 1 }, 0, false)).toBeUndefined();
  });

  test('comes at any time within the bound', () => {
    const failure = { error: lost, nowMs: 0, wasConnected: true };
    const delayMs = (random: number) =>
      nextAttempt(undefined, failure, { ...RECONNECT_DEFAULTS, random: () => random }).delayMs;
    expect([0, 0.5, 1].map(delayMs)).toEqual([0, 125, 250]);
  });
});
