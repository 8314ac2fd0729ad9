import { CHUNK_WINDOWS, type FeatureChunk, type SpeechFeatures } from './speechFeatures.ts';

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

/** Windows of 10 ms in which somebody speaks, from one up to another. */
interface Region {
  readonly from: number;
  readonly to: number;
}

/** Over as many windows before and after the voice detector is smoothed: 0.3 s in all. */
const SMOOTHED_WINDOWS = 15;
/** Speech this near to the next is one with it: the pauses within a sentence. */
const LEAST_PAUSE_WINDOWS = 30;
/** Less speech than this is none: a click, a cough. */
const LEAST_SPEECH_WINDOWS = 20;

/** Where somebody speaks from a window up to another. */
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
