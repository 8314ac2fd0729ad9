import { counted } from '../../base/text.ts';
import { NOTHING, spreadText } from './figures.ts';
import type { Report, ReportTable, Spreads } from './report.ts';

/** Titles of the main measures by path, in reading order: those of spread tables and of histories. */
export const MAIN_MEASURES: Readonly<Record<string, string>> = {
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
 * Returns the median, minimum and maximum of runs, without empty columns, with the totals last; no rows when each file
 * was streamed once.
 */
export function spreadTable({ spread = { runs: 0, files: {}, all: {} } }: Report): ReportTable {
  const { runs, files, all } = spread;
  const columns = Object.entries(MAIN_MEASURES).filter(([path]) =>
    [all, ...Object.values(files)].some(spreads => spreads[path]),
  );
  const row = (name: string, spreads: Spreads) => [
    name,
    ...columns.map(([path]) => (spreads[path] ? spreadText(path, spreads[path]) : NOTHING)),
  ];
  return {
    title: `Median of ${counted(runs, 'run')} (least–greatest)`,
    titles: ['File', ...columns.map(([, title]) => title)],
    rows: Object.entries(files).map(([name, spreads]) => row(name, spreads)),
    last: runs > 0 ? row('All', all) : undefined,
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
