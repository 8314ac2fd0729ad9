import { CHUNK_WINDOWS, type FeatureChunk, type SpeechFeatures } from './speechFeatures.ts';

/** Windows of a block: 0.1 s, assumed to have one speaker. */
export const BLOCK_WINDOWS = 10;

/** Up to {@link BLOCK_WINDOWS} windows of speech. */
export interface Block {
  /** Index of its first window. */
  readonly window: number;
  readonly windows: number;
  /** The chunk that holds its features, from window `at` on. */
  readonly chunk: FeatureChunk;
  readonly at: number;
}

/** Cuts speech into blocks, in order. Forgotten audio has none. */
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

/**
 * Yields the windows of a block that are voice, as indexes of its chunk. Pauses between words sound alike for
 * all speakers.
 */
export function* voicedWindows({ chunk, at, windows }: Block): Generator<number> {
  for (let window = at; window < at + windows; window++) {
    if (chunk.voice[window]) yield window;
  }
}

/** A range of 10 ms windows with speech, `to` exclusive. */
interface Region {
  readonly from: number;
  readonly to: number;
}

/** Windows before and after each one over which voice is averaged: 0.3 s in all. */
const SMOOTHED_WINDOWS = 15;
/** Shorter pauses are within a sentence, and part of the speech. */
const LEAST_PAUSE_WINDOWS = 30;
/** Shorter speech is a click or a cough. */
const LEAST_SPEECH_WINDOWS = 20;

/** Returns the regions of speech between two windows. */
export function speechRegions(
  { chunks, windows }: SpeechFeatures,
  from = 0,
  to = windows,
): readonly Region[] {
  const voiceAt = (window: number) =>
    window < 0 || window >= windows
      ? 0
      : (chunks[Math.floor(window / CHUNK_WINDOWS)]?.voice[window % CHUNK_WINDOWS] ?? 0);
  const regions: { from: number; to: number }[] = [];
  let voiced = 0;
  for (let window = from - SMOOTHED_WINDOWS; window < from + SMOOTHED_WINDOWS; window++)
    voiced += voiceAt(window);
  for (let window = from; window < to; window++) {
    voiced += voiceAt(window + SMOOTHED_WINDOWS);
    if (voiced > SMOOTHED_WINDOWS) {
      const last = regions.at(-1);
      if (last && window - last.to < LEAST_PAUSE_WINDOWS) last.to = window + 1;
      else regions.push({ from: window, to: window + 1 });
    }
    voiced -= voiceAt(window - SMOOTHED_WINDOWS);
  }
  return regions.filter(region => region.to - region.from >= LEAST_SPEECH_WINDOWS);
}
