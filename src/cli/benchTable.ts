import { isBeyondChance, type ServiceComparison } from '../replay/compare/serviceComparison.ts';
import { interval, middleAndMost, NOTHING, percent } from '../replay/report/figures.ts';
import type { Interval, Measures } from '../replay/report/report.ts';
import { columns } from './columns.ts';

type Cell<T> = readonly [title: string, cell: (of: T) => string];

const MEASURES: readonly Cell<Measures>[] = [
  ['WER', ({ wer }) => percent(wer)],
  ['  95 % interval', ({ werInterval }) => interval(werInterval)],
  ['CER', ({ cer }) => percent(cer)],
  ['first partial, p50 / p95', ({ delay }) => middleAndMost(delay?.firstPartial)],
  ['word, p50 / p95', ({ delay }) => middleAndMost(delay?.word)],
  ['final, p50 / p95', ({ delay }) => middleAndMost(delay?.final)],
  ['UPWR', ({ upwr }) => percent(upwr)],
  ['UPSR', ({ upsr }) => percent(upsr)],
  ['coverage', ({ coverage }) => percent(coverage)],
];

const ROWS: readonly Cell<ServiceComparison>[] = [
  ...MEASURES.map(
    ([title, cell]): Cell<ServiceComparison> => [
      title,
      ({ measures }) => (measures ? cell(measures) : NOTHING),
    ],
  ),
  ['WER above that of the first', ({ difference }) => differenceText(difference)],
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
