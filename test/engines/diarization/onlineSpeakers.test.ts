import { expect, test } from 'vitest';
import { seeded } from '../../../src/base/seeded.ts';
import { BLOCK_WINDOWS, type Block } from '../../../src/engines/diarization/blocks.ts';
import { COEFFICIENTS } from '../../../src/engines/diarization/mfcc.ts';
import { createOnlineSpeakers } from '../../../src/engines/diarization/onlineSpeakers.ts';

const random = seeded(1);

/** Four seconds of a voice, each coefficient around its mean with a deviation of about 1. */
function heard(mean: number): readonly Block[] {
  const windows = 400;
  const chunk = {
    features: Float32Array.from({ length: windows * COEFFICIENTS }, () => mean + 3.5 * (random() - 0.5)),
    voice: new Uint8Array(windows).fill(1),
  };
  return Array.from({ length: windows / BLOCK_WINDOWS }, (_, index) => {
    return { window: index * BLOCK_WINDOWS, windows: BLOCK_WINDOWS, chunk, at: index * BLOCK_WINDOWS };
  });
}

/** The numbers of voices that speak one after the other. */
function numbersOf(voices: readonly number[], mostVoices: number): readonly number[] {
  const speakers = createOnlineSpeakers(undefined, mostVoices);
  return voices.map(voice => speakers.speakerOf(heard(3 * voice)));
}

test('a voice keeps its number, however often it speaks', () => {
  const voices = Array.from({ length: 20 }, (_, index) => index % 3);
  expect(numbersOf(voices, 6)).toEqual(voices);
});

test('above the limit, the oldest voices are forgotten, and no number is reused', () => {
  expect(numbersOf([0, 1, 0, 2, 3, 3, 0, 1, 4], 3)).toEqual([0, 1, 0, 2, 3, 3, 0, 4, 5]);
});
