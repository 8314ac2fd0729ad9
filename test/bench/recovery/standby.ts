import { quantile } from '../../helpers/quantile.ts';
import { runTakeOver, SPOKEN_WORDS, type TakeOverFault } from '../../helpers/takeOver.ts';

const ROUNDS = 20;
/** Rounds at a time: each has two service processes. */
const AT_ONCE = 2;
/** Milliseconds between two new words, with a pause of the speaker of 0.5 s: a dead service, and frozen ones. */
const GOALS: Readonly<Record<TakeOverFault, number>> = {
  killed: 1000,
  stopped: 4000,
  unreachable: 4000,
  late: 4000,
};

/**
 * Live speech to a service process that is killed, stopped, no longer reached, or answers 5 s late, at a random moment, with
 * another one as the standby: from the last new word to the next one, pauses of the speaker included.
 */
export async function run(): Promise<void> {
  const rows = [];
  for (const [fault, goalMs] of Object.entries(GOALS) as [TakeOverFault, number][]) {
    const gaps: number[] = [];
    let complete = 0;
    for (let round = 0; round < ROUNDS; round += AT_ONCE) {
      const runs = Array.from({ length: AT_ONCE }, () => runTakeOver(fault, 3 + 2 * Math.random()));
      for (const { gapMs, words } of await Promise.all(runs)) {
        gaps.push(gapMs);
        if (words.join() === SPOKEN_WORDS.join()) complete++;
      }
    }
    const [p50, p95, most] = [0.5, 0.95, 1].map(share => Math.round(quantile(gaps, share)));
    const goal = p95! <= goalMs ? 'met' : 'missed';
    rows.push({
      fault,
      'p50 ms': p50,
      'p95 ms': p95,
      'longest ms': most,
      goal,
      'each word once': `${complete} of ${ROUNDS}`,
    });
  }
  console.table(rows);
}
