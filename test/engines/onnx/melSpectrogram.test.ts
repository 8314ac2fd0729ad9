import { expect, test } from 'vitest';
import {
  MEL_COLUMNS,
  melFilters,
  melSpectrogram,
  WHISPER_FRAMES,
} from '../../../src/engines/onnx/melSpectrogram.ts';

const BANDS = 80;

test('mel filters are those published for Whisper', () => {
  const filters = melFilters({ sampleRate: 16_000, windowFrames: 400, count: BANDS });
  const at = (band: number, bin: number) => filters[band]!.weights[bin - filters[band]!.firstBin] ?? 0;
  expect(at(0, 1)).toBeCloseTo(0.024862593984176087, 12);
  expect(at(1, 2)).toBeCloseTo(0.022871772096078016, 12);
  expect(at(33, 33)).toBeCloseTo(0.018177473406255303, 12);
  expect(at(79, 190)).toBeCloseTo(0.0022320550527126443, 12);
  expect(at(79, 199)).toBeCloseTo(0.0004487590275890477, 12);
  expect(at(0, 0)).toBe(0);
});

test('the spectrogram of a sine of 100 samples is that published for Whisper', () => {
  const sine = Int16Array.from({ length: 100 }, (_, at) =>
    Math.min(32_767, Math.round(32_768 * Math.sin(at))),
  );
  const mel = melSpectrogram(sine, BANDS);
  const column = (index: number) => [0, 1, 2, 3].map(band => mel[band * MEL_COLUMNS + index]!);
  const published = [
    [0.7313, 0.782, 0.7391, 0.6787],
    [0.4332, 0.4861, 0.4412, 0.3497],
    [-0.5938, -0.5938, -0.5938, -0.5938],
    [-0.5938, -0.5938, -0.5938, -0.5938],
  ];
  for (const [index, values] of published.entries()) {
    for (const [band, value] of column(index).entries()) expect(value).toBeCloseTo(values[band]!, 3);
  }
});

test('a tone is loudest in its own band throughout', () => {
  const tone = Int16Array.from(
    { length: WHISPER_FRAMES },
    (_, at) => 9000 * Math.sin((at * 2 * Math.PI) / 16),
  );
  const mel = melSpectrogram(tone, BANDS);
  const filters = melFilters({ sampleRate: 16_000, windowFrames: 400, count: BANDS });
  // A tone of 1 kHz is at bin 25.
  const weightAt25 = filters.map(({ firstBin, weights }) => weights[25 - firstBin] ?? 0);
  const expected = weightAt25.indexOf(Math.max(...weightAt25));
  for (const column of [1, 1500, MEL_COLUMNS - 2]) {
    const levels = Array.from({ length: BANDS }, (_, band) => mel[band * MEL_COLUMNS + column]!);
    expect(levels.indexOf(Math.max(...levels))).toBe(expected);
  }
});

test('silence is flat, and audio after 30 s is ignored', () => {
  expect(new Set(melSpectrogram(new Int16Array(16_000), 128))).toEqual(new Set([-1.5]));
  const late = new Int16Array(WHISPER_FRAMES + 16_000).fill(9000, WHISPER_FRAMES);
  expect(new Set(melSpectrogram(late, 128))).toEqual(new Set([-1.5]));
});
