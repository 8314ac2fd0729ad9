import { counted } from '../../base/text.ts';
import { NOTHING, spreadText } from './figures.ts';
import type { Report, Spreads } from './report.ts';
import type { ReportTable } from './reportTable.ts';

/** Titles of the measures in spread tables, by path, in reading order. */
const TITLES: Readonly<Record<string, string>> = {
  wer: 'WER',
  cer: 'CER',
  'keywords.recall': 'Keywords',
  'delay.firstPartial.p50': 'First partial p50',
  'delay.word.p50': 'Word p50',
  'delay.final.p50': 'Final p50',
  'delay.final.p95': 'Final p95',
  upwr: 'UPWR',
  upsr: 'UPSR',
  coverage: 'Coverage',
  violations: 'Violations',
  reconnects: 'Reconnects',
};

/**
 * Returns the median, minimum and maximum of runs, without empty columns, with the totals in the last row; null when each
 * file was streamed once.
 */
export function spreadTable({ spread }: Report): ReportTable | null {
  if (!spread) return null;
  const named: readonly (readonly [string, Spreads])[] = [
    ...Object.entries(spread.files),
    ['All', spread.all],
  ];
  const columns = Object.entries(TITLES).filter(([path]) => named.some(([, spreads]) => spreads[path]));
  const rows = named.map(([name, spreads]) => [
    name,
    ...columns.map(([path]) => (spreads[path] ? spreadText(path, spreads[path]) : NOTHING)),
  ]);
  return {
    title: `Median of ${counted(spread.runs, 'run')} (least–greatest)`,
    titles: ['File', ...columns.map(([, title]) => title)],
    rows,
    texts: 1,
  };
}

/** Returns the number of files with any text, such as `26 of 27 files have text, 20 without a wrong word`; empty when no stream finished. */
export function textShare({ files, spread }: Report): string {
  const well = files.filter(({ failure }) => failure === undefined);
  if (well.length === 0) return '';
  if (spread?.all.withText) return `${spreadText('withText', spread.all.withText)} of the files have text`;
  const count = well.filter(file => file.withText === 1).length;
  const all = counted(well.length, spread ? 'stream' : 'file');
  const perfect = well.some(file => file.perfect !== null)
    ? `, ${well.filter(file => file.perfect === 1).length} without a wrong word`
    : '';
  return `${count} of ${all} ${count === 1 ? 'has' : 'have'} text${perfect}`;
}
