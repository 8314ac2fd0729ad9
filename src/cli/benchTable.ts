import { isBeyondChance, type ServiceComparison } from '../replay/compare/serviceComparison.ts';
import { interval, middleAndMost, NOTHING, percent } from '../replay/report/figures.ts';
import type { Interval } from '../replay/report/report.ts';
import { columns } from './columns.ts';

type Row = readonly [title: string, cell: (comparison: ServiceComparison) => string];

const ROWS: readonly Row[] = [
  ['WER', ({ measures }) => percent(measures.wer)],
  ['  95 % interval', ({ measures }) => interval(measures.werInterval)],
  ['  above that of the first', ({ difference }) => differenceText(difference)],
  ['CER', ({ measures }) => percent(measures.cer)],
  ['first partial, p50 / p95', ({ measures }) => middleAndMost(measures.delay?.firstPartial)],
  ['word, p50 / p95', ({ measures }) => middleAndMost(measures.delay?.word)],
  ['final, p50 / p95', ({ measures }) => middleAndMost(measures.delay?.final)],
  ['UPWR', ({ measures }) => percent(measures.upwr)],
  ['UPSR', ({ measures }) => percent(measures.upsr)],
  ['coverage', ({ measures }) => percent(measures.coverage)],
  ['failed streams', ({ failures, files }) => `${failures} of ${files.length}`],
  ['streams held', ({ held }) => (held ? `${held.held}${held.isAll ? ' or more' : ''}` : NOTHING)],
];

/** Measures below each other, services side by side; for other programs the names are the first line. */
export function benchTable(
  comparisons: readonly ServiceComparison[],
  output: NodeJS.WriteStream = process.stdout,
): string {
  const titles = ['', ...comparisons.map(({ name }) => name)];
  const rows = ROWS.map(([title, cell]) => [title, ...comparisons.map(cell)]);
  return columns(titles, output.isTTY ? rows : [titles, ...rows], output);
}

function differenceText(difference: Interval | null): string {
  if (!difference) return NOTHING;
  return `${interval(difference)}, ${isBeyondChance(difference) ? 'beyond chance' : 'may be chance'}`;
}
