import { expect, test } from 'vitest';
import { VirtualClock } from '../../../src/replay/time/virtualClock.ts';
import { createJobSlots } from '../../../src/service/rateLimits/jobSlots.ts';

const RATE = { streams: 10, requestsPerSecond: 50, requestBurst: 200 };

/** Creates the limits of an account with some jobs in progress, of which other processes may add some. */
function places(inProgress: number) {
  const clock = new VirtualClock();
  const state = { inProgress, counted: 0 };
  const count = async (_: string, limit: number) => {
    state.counted++;
    return Math.min(limit, state.inProgress);
  };
  const { take } = createJobSlots(count, clock);
  return { clock, state, take: (jobsInProgress: number) => take('ada', { ...RATE, jobsInProgress }) };
}

test('the limit leaves as many slots as it should, with a single count', async () => {
  const { take, state } = places(7);
  const taken = await Promise.all(Array.from({ length: 4 }, () => take(10)));
  expect(taken.map(slot => slot !== undefined)).toEqual([true, true, true, false]);
  expect(state.counted).toBe(1);
});

test('a submission in progress counts until it is over', async () => {
  const { take } = places(8);
  const over = await take(10);
  expect(await take(10)).toBeDefined();
  expect(await take(10)).toBeUndefined();
  over!();
  expect(await take(10)).toBeDefined();
});

test('an account near its limit is counted each time, as other processes take slots too', async () => {
  const { take, state } = places(9);
  (await take(10))!();
  state.inProgress = 10;
  expect(await take(10)).toBeUndefined();
  state.inProgress = 9;
  expect(await take(10)).toBeDefined();
});

test('a count is used while the requests of the account cannot reach the limit', async () => {
  const { take, state, clock } = places(1000);
  // 1000 slots are free, of which 200 may be taken at once and 50 in each second.
  await take(2000);
  clock.advance(15_999);
  await take(2000);
  expect(state.counted).toBe(1);
  clock.advance(1);
  await take(2000);
  expect(state.counted).toBe(2);
});

test('a count is used for a minute at most', async () => {
  const { take, state, clock } = places(0);
  await take(1_000_000);
  clock.advance(59_999);
  await take(1_000_000);
  expect(state.counted).toBe(1);
  clock.advance(1);
  await take(1_000_000);
  expect(state.counted).toBe(2);
});

test('a failed count is repeated', async () => {
  let isBroken = true;
  const count = async () => {
    if (isBroken) throw new Error('no database');
    return 0;
  };
  const { take } = createJobSlots(count, new VirtualClock());
  const limits = { ...RATE, jobsInProgress: 1 };
  await expect(take('ada', limits)).rejects.toThrow('no database');
  isBroken = false;
  expect(await take('ada', limits)).toBeDefined();
});
