import { expect, test } from 'vitest';
import { delay } from '../../../src/base/clock.ts';
import { VirtualClock } from '../../../src/replay/time/virtualClock.ts';

test('callbacks run in order of time, also those scheduled meanwhile', () => {
  const clock = new VirtualClock();
  const calls: [string, number][] = [];
  const note = (name: string) => () => void calls.push([name, clock.now()]);
  clock.schedule(30, note('c'));
  clock.schedule(10, () => {
    note('a')();
    clock.schedule(5, note('b'));
  });
  clock.schedule(31, note('late'))();
  clock.advance(40);
  expect(calls).toEqual([
    ['a', 10],
    ['b', 15],
    ['c', 30],
  ]);
  expect([clock.now(), clock.pending]).toEqual([40, 0]);
});

test('promises settle meanwhile', async () => {
  const clock = new VirtualClock();
  const times: number[] = [];
  const loop = (async () => {
    for (let i = 0; i < 3; i++) {
      await delay(10, { clock });
      times.push(clock.now());
    }
  })();
  await clock.advanceAsync(30);
  await loop;
  expect(times).toEqual([10, 20, 30]);
});
