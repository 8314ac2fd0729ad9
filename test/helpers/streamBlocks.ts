import type { AudioBlock } from '../../src/audio/format/format.ts';

/** Frames a second of {@link blockAt}. */
export const TEST_RATE = 16_000;

/** A mono block of 16-bit samples that encode their positions. */
export function blockAt(startFrame: number, frames: number): AudioBlock {
  const samples = Float32Array.from({ length: frames }, (_, i) => ((startFrame + i) % 20_011) / 32_768);
  return { startFrame, sampleRate: TEST_RATE, channels: 1, samples };
}

/** Blocks of the same length that follow each other. */
export function blocksOf(count: number, framesEach: number): readonly AudioBlock[] {
  return Array.from({ length: count }, (_, i) => blockAt(i * framesEach, framesEach));
}
