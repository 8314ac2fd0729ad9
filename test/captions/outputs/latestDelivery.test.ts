import { describe, expect, it } from 'vitest';
import {
  type DeliveryOptions,
  LatestDelivery,
  RetryLaterError,
} from '../../../src/captions/outputs/latestDelivery.ts';
import { VirtualClock } from '../../../src/replay/time/virtualClock.ts';

/** A delivery in virtual time whose attempts end as they are given, at once or when the test says so. */
function delivering(options: Partial<DeliveryOptions<string>> = {}) {
  const clock = new VirtualClock();
  const sent: string[] = [];
  const delivery = new LatestDelivery<string>({
    name: 'board',
    send: async value => void sent.push(value),
    clock,
    ...options,
  });
  return { clock, sent, delivery };
}

describe('the delivery of the latest value', () => {
  it('skips values that were replaced before they could be delivered', async () => {
    const { clock, sent, delivery } = delivering({ minIntervalMs: 1000 });
    for (const value of ['a', 'b', 'c']) delivery.push(value);
    await clock.advanceAsync(5000);
    expect(sent).toEqual(['a', 'c']);
    expect(delivery.report()).toEqual({ shown: 2, skipped: 1, failures: 0 });
  });

  it('waits after a value as long as the value demands', async () => {
    const { clock, sent, delivery } = delivering({ minIntervalMs: value => value.length * 1000 });
    delivery.push('aaa');
    delivery.push('b');
    await clock.advanceAsync(2999);
    expect(sent).toEqual(['aaa']);
    await clock.advanceAsync(1);
    delivery.push('c');
    await clock.advanceAsync(1000);
    expect(sent).toEqual(['aaa', 'b', 'c']);
  });

  it('delivers on closing a value that came during the previous delivery, without the interval', async () => {
    const sent: string[] = [];
    const release = Promise.withResolvers<void>();
    const { clock, delivery } = delivering({
      minIntervalMs: 60_000,
      send: async value => {
        if (value === 'a') await release.promise;
        sent.push(value);
      },
    });
    delivery.push('a');
    delivery.push('last');
    const closed = delivery.close();
    release.resolve();
    await closed;
    expect(sent).toEqual(['a', 'last']);
    expect(clock.pending).toBe(0);
  });

  it('waits longer after each refusal that follows another, and 30 s at most', async () => {
    const starts: number[] = [];
    const isRefused = (attempt: number) => attempt < 7 || attempt === 8;
    const { clock, delivery } = delivering({
      send: async () => {
        starts.push(clock.now());
        if (isRefused(starts.length)) throw new RetryLaterError(new Error('refused'));
      },
    });
    delivery.push('a');
    await clock.advanceAsync(90_000);
    delivery.push('b');
    await clock.advanceAsync(2000);
    expect(starts).toEqual([0, 2000, 6000, 14_000, 30_000, 60_000, 90_000, 90_000, 92_000]);
    expect(delivery.report()).toMatchObject({ shown: 2, failures: 7 });
  });

  it('ends at once on closing when the last attempt fails', async () => {
    const { clock, delivery } = delivering({ send: () => Promise.reject(new Error('no')) });
    delivery.push('a');
    await delivery.close();
    expect(delivery.report()).toMatchObject({ shown: 0, skipped: 1, failures: 1 });
    expect(clock.pending).toBe(0);
  });
});
