import { CHUNK_WINDOWS, type SpeechFeatures } from './speechFeatures.ts';

/** Windows of 10 ms in which somebody speaks, from one up to another. */
export interface Region {
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
