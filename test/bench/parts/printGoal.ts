import { quantile } from '../../helpers/quantile.ts';

/** Prints the median of the rounds, which decides, and all rounds in order. */
export function printGoal(name: string, rounds: readonly number[], goal?: number): void {
  const value = quantile(rounds, 0.5);
  const all = rounds.toSorted((one, other) => one - other).map(one => one.toFixed(2));
  const verdict = goal === undefined ? '' : `, goal ${goal}: ${value <= goal ? 'met' : 'missed'}`;
  console.log(`${name}: ${value.toFixed(2)} (${all.join(' ')})${verdict}`);
}
