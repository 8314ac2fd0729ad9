/** How far the floor looks back: longer than people speak without the shortest of pauses. */
const FLOOR_SECONDS = 3;
const BLOCK_SECONDS = 0.2;
const BLOCKS = FLOOR_SECONDS / BLOCK_SECONDS;
/** White noise stays within 3 dB of its lowest 10 ms; speech goes 20 dB up and down. */
const MARGIN_DECIBELS = 6;

/**
 * Tells what stands out from what is always there: steady noise and hum do not, however loud, once they are known. Nor
 * does a note that somebody holds without a change; the next consonant makes the floor that of speech again.
 */
export interface LevelGate {
  /** Whether the next samples are clearly louder than the softest of the last 3 s; true for all of the first 3 s. */
  isRaised(window: Int16Array): boolean;
  reset(): void;
}

/** @param windowSeconds length of the windows, which are all alike */
export function createLevelGate(windowSeconds: number): LevelGate {
  const windowsPerBlock = Math.round(BLOCK_SECONDS / windowSeconds);
  let floors: number[] = [];
  let windows = 0;
  // Before it is known what is always there, nothing is.
  const reset = () => {
    floors = Array<number>(BLOCKS).fill(Number.NEGATIVE_INFINITY);
    windows = 0;
  };
  reset();
  return {
    isRaised(window) {
      const level = decibelsOf(window);
      if (windows++ % windowsPerBlock === 0) {
        floors.shift();
        floors.push(level);
      }
      floors[BLOCKS - 1] = Math.min(floors[BLOCKS - 1]!, level);
      return level > Math.min(...floors) + MARGIN_DECIBELS;
    },
    reset,
  };
}

function decibelsOf(window: Int16Array): number {
  let energy = 0;
  for (const sample of window) energy += sample * sample;
  // One step of the samples is the least that counts: digital silence has a level, too.
  return 10 * Math.log10(Math.max(1, energy / window.length));
}
