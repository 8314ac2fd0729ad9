import { describe, expect, test } from 'vitest';
import { createNearbyEvents } from '../../../src/client/fallback/nearbyEvents.ts';
import { final, hole, repair, silence } from '../../helpers/transcriptEvents.ts';

const REACH = 2;

describe('the events near holes', () => {
  test('are those within reach, in the order in which they came', () => {
    const nearby = createNearbyEvents(REACH);
    const [far, before, after] = [final('a', 0, 5), final('b', 5, 10), final('c', 20, 25)];
    const missing = hole(10, 20, 'gave-up');
    for (const event of [far, before, missing, after, final('d', 25, 30)]) nearby.observe(event);
    expect(nearby.around(missing)).toEqual([before, missing, after]);
    expect(nearby.around({ ts: 10, endTs: 15 })).toEqual([before, missing]);
  });

  test('include finals that arrive after a later hole', () => {
    const nearby = createNearbyEvents(REACH);
    const [dropped, late] = [hole(30, 40, 'dropped'), final('late', 25, 30)];
    for (const event of [dropped, final('a', 0, 25), late]) nearby.observe(event);
    expect(nearby.around(dropped)).toEqual([dropped, late]);
  });

  test('include the repair of the adjacent hole, also when the stream is far ahead', () => {
    const nearby = createNearbyEvents(REACH);
    const [one, other] = [hole(0, 10, 'gave-up'), hole(10, 20, 'gave-up')];
    for (const event of [one, other, silence(20, 500)]) nearby.observe(event);
    const repaired = repair(one, final('a', 8, 9));
    nearby.observe(repaired);
    expect(nearby.around(other)).toContain(repaired);
  });

  test('are few, however long a hole waits, and none once it is released', () => {
    const nearby = createNearbyEvents(REACH);
    const missing = hole(1, 2, 'gave-up');
    nearby.observe(missing);
    for (let ts = 2; ts < 20_000; ts++) nearby.observe(final('a', ts, ts + 1));
    expect(nearby.around(missing)).toHaveLength(3);
    expect(nearby.size).toBeLessThan(10);
    nearby.letGo(missing);
    expect(nearby.around(missing)).toEqual([]);
  });
});
