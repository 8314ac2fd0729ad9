import { describe, expect, test } from 'vitest';
import { RxscribeError } from '../../../src/base/errors.ts';
import { keepTrying, type RetryLimits } from '../../../src/client/fallback/keepTrying.ts';
import {
  OutOfCreditError,
  TooManyRequestsError,
  UnreachableError,
} from '../../../src/client/serviceErrors.ts';
import { VirtualClock } from '../../../src/replay/time/virtualClock.ts';
import { advanceUntil } from '../../helpers/advanceUntil.ts';

const away = new UnreachableError('unreachable', 'nothing there', { advice: 'Wait.', retry: true });
const poor = new OutOfCreditError('out-of-credit', 'no credit', { advice: 'Top up.' });
const HOUR_MS = 3_600_000;

/** Tries on a clock of its own; fails with an error so many times. */
function trying(error: Error, failures: number, limits: Partial<RetryLimits> = {}) {
  const clock = new VirtualClock();
  const waits: number[] = [];
  let tries = 0;
  const result = keepTrying(
    async round => {
      expect(round).toBe(tries++);
      if (tries <= failures) throw error;
      return 'done';
    },
    {
      clock,
      signal: new AbortController().signal,
      maxWaitMs: 100 * HOUR_MS,
      onWait: (_, delayMs) => void waits.push(delayMs),
      ...limits,
    },
  );
  return { clock, waits, tries: () => tries, result: advanceUntil(clock, 10_000, result) };
}

describe('a temporary fault', () => {
  test.each([
    ['an unreachable service', away, 1000, 60_000],
    ['an account without credit', poor, 4000, 300_000],
  ])('is waited out, longer each time up to a cap: %s', async (_, error, baseMs, capMs) => {
    const { result, waits } = trying(error, 40);
    expect(await result).toBe('done');
    expect(waits).toHaveLength(40);
    expect(waits.every((wait, index) => wait <= Math.min(capMs, baseMs * 2 ** index))).toBe(true);
    // Of thirty waits below the cap, all in the lower half come once in a thousand million times.
    expect(Math.max(...waits.slice(10))).toBeGreaterThan(capMs / 2);
  });

  test('is waited out for the seconds of Retry-After', async () => {
    const details = { advice: 'Wait.', retry: true, retryAfterSeconds: 120 };
    const { result, waits } = trying(new TooManyRequestsError('too-many-requests', 'busy', details), 3);
    expect(await result).toBe('done');
    expect(waits).toEqual([120_000, 120_000, 120_000]);
  });

  test('is not waited out for longer than the limit', async () => {
    const { result, waits } = trying(away, Number.POSITIVE_INFINITY, { maxWaitMs: HOUR_MS });
    await expect(result).rejects.toBe(away);
    const waitedMs = waits.reduce((sum, wait) => sum + wait, 0);
    expect(waitedMs).toBeLessThanOrEqual(HOUR_MS);
    expect(waitedMs).toBeGreaterThan(HOUR_MS - 60_000);
  });
});

test('the attempt is not repeated after another fault', async () => {
  const error = new RxscribeError('engine-failed', 'no');
  const { result, tries } = trying(error, 1);
  await expect(result).rejects.toBe(error);
  expect(tries()).toBe(1);
});

test('a wait ends when it is aborted, with the reason', async () => {
  const aborted = new AbortController();
  const { result, clock, tries } = trying(away, 5, {
    signal: aborted.signal,
    onWait: () => aborted.abort(new Error('enough')),
  });
  await expect(result).rejects.toThrow('enough');
  expect(tries()).toBe(1);
  expect(clock.pending).toBe(0);
});
