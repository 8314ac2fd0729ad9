import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type Bucket, levelOf, taken, waitFor } from '../../../src/service/rateLimits/bucket.ts';

const flows = fc.record({
  perSecond: fc.double({ min: 0.01, max: 1000, noNaN: true }),
  burst: fc.integer({ min: 1, max: 1000 }),
});

describe('a bucket', () => {
  test('allows a burst at once, then its rate', () => {
    const flow = { perSecond: 2, burst: 3 };
    let bucket: Bucket | undefined;
    for (let i = 0; i < 3; i++) {
      expect(waitFor(bucket, flow, 1000)).toBe(0);
      bucket = taken(bucket, flow, 1000);
    }
    expect(waitFor(bucket, flow, 1000)).toBe(500);
    expect(waitFor(bucket, flow, 1400)).toBeCloseTo(100);
    expect(waitFor(bucket, flow, 1500)).toBe(0);
    bucket = taken(bucket, flow, 1500);
    expect(waitFor(bucket, flow, 1500)).toBe(500);
    expect(levelOf(bucket, flow, 1_000_000)).toBe(3);
  });

  test('counts tokens that were taken too early', () => {
    const flow = { perSecond: 1, burst: 1 };
    const bucket = taken(taken(undefined, flow, 0), flow, 0);
    expect(waitFor(bucket, flow, 0)).toBe(2000);
  });

  test('never allows more than the burst and the flow, and allows all of it', () => {
    fc.assert(
      fc.property(flows, fc.array(fc.integer({ min: 0, max: 5000 }), { maxLength: 200 }), (flow, gaps) => {
        let bucket: Bucket | undefined;
        let nowMs = 0;
        let granted = 0;
        for (const gap of gaps) {
          nowMs += gap;
          const waitMs = waitFor(bucket, flow, nowMs);
          if (waitMs > 0) {
            expect(waitFor(bucket, flow, nowMs + waitMs + 0.001)).toBe(0);
            continue;
          }
          bucket = taken(bucket, flow, nowMs);
          granted++;
        }
        expect(granted).toBeLessThanOrEqual(flow.burst + (nowMs / 1000) * flow.perSecond + 1e-6);
      }),
    );
  });
});
