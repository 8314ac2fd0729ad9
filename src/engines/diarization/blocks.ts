import { COEFFICIENTS } from './mfcc.ts';
import { CHUNK_WINDOWS, type SpeechFeatures } from './speechFeatures.ts';
import type { Region } from './speechRegions.ts';

/** Windows that have one speaker: 0.1 s. */
export const BLOCK_WINDOWS = 10;

/** Up to {@link BLOCK_WINDOWS} windows of speech. */
export interface Block {
  /** The first of its windows. */
  readonly window: number;
  readonly windows: number;
  /** Coefficients, of which its own begin at an index. */
  readonly features: Float32Array;
  readonly at: number;
}

/** Cuts speech into blocks, in order; what was forgotten has none. */
export function blocksOf({ chunks }: SpeechFeatures, regions: readonly Region[]): readonly Block[] {
  const blocks: Block[] = [];
  for (const { from, to } of regions) {
    for (let window = from; window < to; ) {
      const chunk = Math.floor(window / CHUNK_WINDOWS);
      const end = Math.min(to, window + BLOCK_WINDOWS, (chunk + 1) * CHUNK_WINDOWS);
      const features = chunks[chunk]?.features;
      const at = (window % CHUNK_WINDOWS) * COEFFICIENTS;
      if (features) blocks.push({ window, windows: end - window, features, at });
      window = end;
    }
  }
  return blocks;
}
