import { expect, test } from 'vitest';
import { createPeaks, MAX_COLUMNS } from '../../../../src/replay/report/html/peaks.ts';

test('peaks are the minimum and maximum of each stretch', () => {
  const peaks = createPeaks();
  peaks.push(new Float32Array(32).fill(0.5));
  peaks.push(new Float32Array([...new Array(31).fill(0), -1]));
  peaks.push(new Float32Array([1, -2]));
  expect(peaks.peaks()).toEqual({ min: [64, -127, -127], max: [64, 0, 127] });
});

test.each([1, 10, 61.7, 600])(
  'audio of %d seconds has columns enough, and no more than the most',
  seconds => {
    const peaks = createPeaks();
    const piece = new Float32Array(1600);
    for (let sent = 0; sent < seconds * 16_000; sent += piece.length) {
      piece.fill(sent / (seconds * 16_000));
      peaks.push(piece);
    }
    const { min, max } = peaks.peaks();
    expect(max.length).toBeLessThanOrEqual(MAX_COLUMNS);
    expect(max.length).toBeGreaterThan(seconds > 5 ? MAX_COLUMNS / 2 : 100);
    expect(min).toHaveLength(max.length);
    expect(max).toEqual(max.toSorted((one, other) => one - other));
    expect(max[Math.floor(max.length / 2)]).toBeCloseTo(64, -1);
  },
);

test('no samples have no peaks', () => {
  expect(createPeaks().peaks()).toEqual({ min: [], max: [] });
});
