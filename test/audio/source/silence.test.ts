import { of } from 'rxjs';
import { describe, expect, test } from 'vitest';
import type { AudioBlock } from '../../../src/audio/format/format.ts';
import { isDigitalSilence, watchSilence } from '../../../src/audio/source/silence.ts';
import { TEST_RATE } from '../../helpers/streamBlocks.ts';

const STEP = 1 / 32_768;

/** A second of stereo, made of pairs of samples that alternate. */
function second(startSecond: number, ...pairs: readonly (readonly [number, number])[]): AudioBlock {
  const samples = Float32Array.from(
    { length: 2 * TEST_RATE },
    (_, i) => pairs[(i >> 1) % pairs.length]![i % 2]!,
  );
  return { startFrame: startSecond * TEST_RATE, sampleRate: TEST_RATE, channels: 2, samples };
}

test.each<[string, boolean, readonly (readonly [number, number])[]]>([
  ['zeros', true, [[0, 0]]],
  ['a constant of each channel', true, [[0.25, -0.5]]],
  [
    'one step of 16 bits up and down',
    true,
    [
      [0, 0],
      [STEP, STEP],
    ],
  ],
  [
    'two steps up and down, as in a quiet room',
    false,
    [
      [-STEP, 0],
      [STEP, 0],
    ],
  ],
  [
    'sound on the second channel alone',
    false,
    [
      [0, 0.1],
      [0, -0.1],
    ],
  ],
])('%s: digital silence is %s', (_, expected, pairs) => {
  expect(isDigitalSilence(second(0, ...pairs))).toBe(expected);
});

describe('digital silence', () => {
  const QUIET = [
    [-STEP, 0],
    [STEP, 0],
  ] as const;
  function reportsOf(...blocks: readonly AudioBlock[]): readonly string[] {
    const reports: string[] = [];
    const watch = watchSilence({
      seconds: 10,
      onSilent: () => reports.push('silent'),
      onAudible: () => reports.push('audible'),
    });
    of(...blocks)
      .pipe(watch)
      .subscribe();
    return reports;
  }
  const silence = (from: number, to: number) =>
    Array.from({ length: to - from }, (_, i) => second(from + i, [0, 0]));

  test('is reported once after ten seconds, and its end once', () => {
    expect(reportsOf(...silence(0, 60), second(60, ...QUIET), second(61, ...QUIET))).toEqual([
      'silent',
      'audible',
    ]);
  });

  test('of less than ten seconds is not reported', () => {
    expect(reportsOf(...silence(0, 9), second(9, ...QUIET), ...silence(10, 19))).toEqual([]);
  });

  test('before and after a gap is not added up', () => {
    expect(reportsOf(...silence(0, 6), ...silence(20, 26))).toEqual([]);
  });
});
