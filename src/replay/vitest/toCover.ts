import { coverageOf, coveredSeconds } from '../measure/coveredSeconds.ts';
import { runOf } from './heard.ts';
import { checkedLimit, shown, type Verdict, verdict } from './verdict.ts';

/** Whether so much of the audio of a run has its text, or is known to be silent. */
export function toCover(received: unknown, fraction = 1): Verdict {
  checkedLimit(fraction, 'toCover');
  const run = runOf(received, 'toCover');
  const seconds = coveredSeconds(run);
  const coverage = coverageOf(seconds);
  return verdict({
    pass: coverage >= fraction,
    subject: `a run of ${shown(run.seconds)} s`,
    claim: `cover ${shown(fraction)} of its audio`,
    found: `it covers ${shown(coverage)}: ${Object.entries(seconds)
      .map(([kind, value]) => `${shown(value)} s ${kind}`)
      .join(', ')}`,
    details: () => holeLines(run.transcript.coverage ?? []),
  });
}

function holeLines(coverage: NonNullable<ReturnType<typeof runOf>['transcript']['coverage']>): string {
  return coverage
    .filter(({ kind }) => kind === 'hole')
    .map(
      ({ ts, endTs, cause }) => `hole from ${shown(ts)} s to ${shown(endTs)} s${cause ? ` (${cause})` : ''}`,
    )
    .join('\n');
}
