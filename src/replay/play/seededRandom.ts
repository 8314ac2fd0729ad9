/** Gives numbers from 0 up to, but not with, 1. */
export type Random = () => number;

/**
 * Numbers that look random, the same for the same seed on every machine: mulberry32, by Tommy Ettinger (public domain).
 *
 * @example
 * const random = seededRandom(7);
 * random() === seededRandom(7)(); // true
 */
export function seededRandom(seed: number): Random {
  let state = seed | 0;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32;
  };
}
