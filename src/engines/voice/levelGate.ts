/** Seconds that the noise floor covers: longer than people speak without any pause. */
const FLOOR_SECONDS = 3;
const BLOCK_SECONDS = 0.2;
const BLOCKS = FLOOR_SECONDS / BLOCK_SECONDS;
/**
 * Level above the floor that counts as raised. White noise stays within 3 dB of its lowest 10 ms; speech
 * varies by 20 dB.
 */
const MARGIN_DECIBELS = 6;

/**
 * Creates a gate for sound above the noise floor. Steady noise and hum do not pass, however loud, once the floor has
 * adapted. Neither does a sustained note; the next consonant restores the floor of speech.
 *
 * @param windowSeconds duration of each window
 */
export function createLevelGate(windowSeconds: number) {
  const windowsPerBlock = Math.round(BLOCK_SECONDS / windowSeconds);
  // Without a known floor, every level is raised.
  const floors = Array<number>(BLOCKS).fill(Number.NEGATIVE_INFINITY);
  let windows = 0;
  return {
    /**
     * Returns whether the next window is clearly louder than the quietest of the last 3 s; always true in the first 3 s.
     *
     * @param level in decibels
     */
    isRaised(level: number) {
      if (windows++ % windowsPerBlock === 0) {
        floors.shift();
        floors.push(level);
      }
      floors[BLOCKS - 1] = Math.min(floors[BLOCKS - 1]!, level);
      return level > Math.min(...floors) + MARGIN_DECIBELS;
    },
  };
}
