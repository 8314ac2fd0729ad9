// @module-tag slow

import { expect, test } from 'vitest';
import { runTakeOver, SPOKEN_WORDS } from '../../../helpers/takeOver.ts';

/** Two seconds, and more for a busy machine. */
const MOST_MS = 6000;

test.each(['killed', 'stopped', 'unreachable', 'late'] as const)(
  'when a service process is %s, the standby goes on, and each word comes once',
  async fault => {
    const { gapMs, words, switches, error } = await runTakeOver(fault, 3 + 2 * Math.random());
    expect(error).toBeUndefined();
    expect(words).toEqual(SPOKEN_WORDS);
    expect(switches).toBeGreaterThan(0);
    expect(gapMs).toBeLessThan(MOST_MS);
  },
);
