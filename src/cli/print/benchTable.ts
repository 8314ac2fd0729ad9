import { isBeyondChance, type ServiceComparison } from '../../replay/compare/serviceComparison.ts';
import { AGREEMENT_NOTE, isAgreement } from '../../replay/report/agreement.ts';
import { countFailed, interval, NOTHING } from '../../replay/report/figures.ts';
import { measureColumns } from '../../replay/report/measureColumns.ts';
import type { Report } from '../../replay/report/report.ts';
import type { Interval } from '../../replay/score/bootstrap.ts';
import type { Output } from '../context.ts';
import { columnsText, rowsInParts } from './table.ts';

type Row = readonly [title: string, cell: (comparison: ServiceComparison) => string];

const MEASURES: readonly Row[] = measureColumns(
  ...(['wer', 'werInterval', 'cer', 'keywords', 'firstPartial', 'word', 'final'] as const),
  ...(['upwr', 'upsr', 'coverage', 'violations', 'reconnects'] as const),
).map(({ title, text }) => [title, ({ report }) => (isLost(report) ? NOTHING : text(report))]);

const ROWS: readonly Row[] = [
  ...MEASURES,
  ['WER above the first', ({ difference }) => interval(difference)],
  ['Beyond chance', ({ difference }) => chanceText(difference)],
  ['Failed streams', ({ report: { files } }) => `${countFailed(files)} of ${files.length}`],
  ['Streams held', ({ held }) => (held ? `${held.held}${held.isAll ? ' or more' : ''}` : NOTHING)],
];

/** Returns whether no stream ended normally, so that nothing was measured. */
export function isLost({ files }: Pick<Report, 'files'>): boolean {
  return files.every(({ failure }) => failure !== undefined);
}

/** Returns a row per measure and a column per service; for other programs, the first line has the names. */
export function benchTable(comparisons: readonly ServiceComparison[], output: Output): string {
  const titles = ['', ...comparisons.map(({ name }) => name)];
  const rows = ROWS.map(([title, cell]) => [title, ...comparisons.map(cell)]);
  if (!output.isTTY) return columnsText(titles, [titles, ...rows], output);
  const parts = rowsInParts([titles, ...rows], output.columns ?? 80);
  const tables = parts.map(([head = [], ...lines]) => columnsText(head, lines, output));
  return `${tables.join('\n')}${comparisons.some(({ report }) => isAgreement(report)) ? `${AGREEMENT_NOTE}\n` : ''}`;
}

function chanceText(difference: Interval | null): string {
  if (!difference) return NOTHING;
  return isBeyondChance(difference) ? 'yes' : 'no';
}
