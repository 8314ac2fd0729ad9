import { expect } from 'vitest';
import { finalWords } from './finalWords.ts';
import type { RecoveryRun } from './recoveryRun.ts';
import { PLAIN_SCENARIO, type RecoveryScenario } from './recoveryScenario.ts';

/** Two utterances of half a second, a pause after each: live, in blocks of 10 ms. */
export const TWO_UTTERANCES: RecoveryScenario = {
  ...PLAIN_SCENARIO,
  levels: [11, 12, 13, 14, 15, 0, 0, 0, 0, 21, 22, 23, 24, 25, 0, 0, 0, 0],
  plans: [[]],
  options: { resume: { baseDelayMs: 100, maxDelayMs: 100 }, pingIntervalMs: 200, skipPostprocessing: true },
};

/** The same three times. */
export const SIX_UTTERANCES: RecoveryScenario = {
  ...TWO_UTTERANCES,
  levels: [...TWO_UTTERANCES.levels, ...TWO_UTTERANCES.levels, ...TWO_UTTERANCES.levels],
};

/** Messages up to the first final of a connection: `connected`, a partial with each word, the final. */
export const FIRST_FINAL = 1 + 5 + 1;

/** Each word of a scenario came once, at its time. */
export function expectAllWords(
  { events, error }: Pick<RecoveryRun, 'events' | 'error'>,
  { levels }: Pick<RecoveryScenario, 'levels'> = TWO_UTTERANCES,
): void {
  expect(error).toBeUndefined();
  const spoken = levels.flatMap((level, index) => (level === 0 ? [] : [{ level, index }]));
  expect(finalWords(events)).toMatchObject(
    spoken.map(({ level, index }) => ({
      value: `w${level}`,
      ts: expect.closeTo(index / 10, 6),
      endTs: expect.closeTo((index + 1) / 10, 6),
    })),
  );
}
