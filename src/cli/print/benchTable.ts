import { isBeyondChance, type ServiceComparison } from '../../replay/compare/serviceComparison.ts';
import { AGREEMENT_NOTE, isAgreement } from '../../replay/report/agreement.ts';
import { interval, NOTHING } from '../../replay/report/figures.ts';
import { measureColumns } from '../../replay/report/measureColumns.ts';
import type { Interval } from '../../replay/score/bootstrap.ts';
import { rowsInParts } from './alignedRows.ts';
import { columns } from './columns.ts';

type Row = readonly [title: string, cell: (of: ServiceComparison) => string];

const MEASURES = measureColumns(
  ...(['wer', 'werInterval', 'cer', 'keywords', 'firstPartial', 'word', 'final'] as const),
  ...(['upwr', 'upsr', 'coverage', 'violations', 'reconnects'] as const),
).map(
  ({ title, text }): Row => [
    title,
    ({ measures, files }) => (measures ? text({ ...measures, files }) : NOTHING),
  ],
);

const ROWS: readonly Row[] = [
  ...MEASURES,
  ['WER above that of the first', ({ difference }) => interval(difference)],
  ['Beyond chance', ({ difference }) => chanceText(difference)],
  ['Failed streams', ({ failures, files }) => `${failures} of ${files.length}`],
  ['Streams held', ({ held }) => (held ? `${held.held}${held.isAll ? ' or more' : ''}` : NOTHING)],
];

/** Measures below each other, services side by side; for other programs the names are the first line. */
export function benchTable(
  comparisons: readonly ServiceComparison[],
  output: NodeJS.WriteStream = process.stdout,
): string {
  const titles = ['', ...comparisons.map(({ name }) => name)];
  const rows = ROWS.map(([title, cell]) => [title, ...comparisons.map(cell)]);
  if (!output.isTTY) return columns(titles, [titles, ...rows], output);
  const parts = rowsInParts([titles, ...rows], output.columns);
  const tables = parts.map(([head = [], ...lines]) => columns(head, lines, output));
  return `${tables.join('\n')}${comparisons.some(isAgreement) ? `${AGREEMENT_NOTE}\n` : ''}`;
}

function chanceText(difference: Interval | null): string {
  if (!difference) return NOTHING;
  return isBeyondChance(difference) ? 'yes' : 'no';
}
