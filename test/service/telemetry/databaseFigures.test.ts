import { expect, test } from 'vitest';
import { VirtualClock } from '../../../src/replay/time/virtualClock.ts';
import { databaseFigures } from '../../../src/service/telemetry/databaseFigures.ts';

test('figures are read at most every ten seconds, and again after an error', async () => {
  const clock = new VirtualClock();
  let reads = 0;
  const figures = databaseFigures(clock, async () => {
    reads++;
    if (reads === 2) throw new Error('no database');
    return reads;
  });
  expect(await Promise.all([figures(), figures()])).toEqual([1, 1]);
  await clock.advanceAsync(9000);
  expect(await figures()).toBe(1);
  await clock.advanceAsync(1000);
  await expect(figures()).rejects.toThrow('no database');
  await clock.advanceAsync(10_000);
  expect(await figures()).toBe(3);
});

test('figures of a database that does not answer are given up after three seconds', async () => {
  const clock = new VirtualClock();
  const figures = databaseFigures(clock, () => new Promise(() => {}));
  const failed = expect(figures()).rejects.toMatchObject({ code: 'timeout' });
  await clock.advanceAsync(3000);
  await failed;
});
