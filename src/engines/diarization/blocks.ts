import { CHUNK_WINDOWS, type FeatureChunk, type SpeechFeatures } from './speechFeatures.ts';
import type { Region } from './speechRegions.ts';

/** Windows that have one speaker: 0.1 s. */
export const BLOCK_WINDOWS = 10;

/** Up to {@link BLOCK_WINDOWS} windows of speech. */
export interface Block {
  /** The first of its windows. */
  readonly window: number;
  readonly windows: number;
  /** Where they are kept, from an index on. */
  readonly chunk: FeatureChunk;
  readonly at: number;
}

/** Cuts speech into blocks, in order; what was forgotten has none. */
export function blocksOf({ chunks }: SpeechFeatures, regions: readonly Region[]): readonly Block[] {
  const blocks: Block[] = [];
  for (const { from, to } of regions) {
    for (let window = from; window < to; ) {
      const index = Math.floor(window / CHUNK_WINDOWS);
      const end = Math.min(to, window + BLOCK_WINDOWS, (index + 1) * CHUNK_WINDOWS);
      const chunk = chunks[index];
      if (chunk) blocks.push({ window, windows: end - window, chunk, at: window % CHUNK_WINDOWS });
      window = end;
    }
  }
  return blocks;
}

/** Which windows of a chunk a block has that are voice: the pauses between words sound alike, whoever makes them. */
export function* voicedWindows({ chunk, at, windows }: Block): Generator<number> {
  for (let window = at; window < at + windows; window++) if (chunk.voice[window]) yield window;
}
