import { expect, test } from 'vitest';
import { VirtualClock } from '../../../src/replay/time/virtualClock.ts';
import { createJobSlots } from '../../../src/service/rateLimits/jobSlots.ts';

/** Creates the limits of an account with some jobs in progress. */
function places(inProgress: number) {
  const clock = new VirtualClock();
  const state = { inProgress, counted: 0 };
  const { take } = createJobSlots({
    clock,
    count: async (_, limit) => {
      state.counted++;
      return Math.min(limit, state.inProgress);
    },
  });
  return { clock, state, take: (limit: number) => take('ada', limit) };
}

test('the limit leaves as many slots as it should, with a single count', async () => {
  const { take, state } = places(7);
  const taken = await Promise.all(Array.from({ length: 4 }, () => take(10)));
  expect(taken).toEqual([true, true, true, false]);
  expect(state.counted).toBe(1);
});

test('an account without free slots is counted again', async () => {
  const { take, state } = places(10);
  expect(await take(10)).toBe(false);
  expect(await take(10)).toBe(false);
  state.inProgress = 9;
  expect(await take(10)).toBe(true);
  expect(await take(10)).toBe(true);
  state.inProgress = 10;
  expect(await take(10)).toBe(false);
});

test('a count is good for a minute', async () => {
  const { take, state, clock } = places(0);
  await take(10);
  clock.advance(59_999);
  await take(10);
  expect(state.counted).toBe(1);
  clock.advance(1);
  await take(10);
  expect(state.counted).toBe(2);
});

test('a failed count is repeated', async () => {
  let isBroken = true;
  const { take } = createJobSlots({
    clock: new VirtualClock(),
    count: async () => {
      if (isBroken) throw new Error('no database');
      return 0;
    },
  });
  await expect(take('ada', 1)).rejects.toThrow('no database');
  isBroken = false;
  expect(await take('ada', 1)).toBe(true);
});
