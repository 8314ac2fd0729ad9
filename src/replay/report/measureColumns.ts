import type { Delays, Measures } from '../measure/measures.ts';
import { agreementMark, type Compared } from './agreement.ts';
import { figure, interval, NOTHING, percent, quantiles } from './figures.ts';
import type { Report } from './report.ts';

/** A measure as tables show it. */
export interface MeasureColumn {
  readonly title: string;
  /** To sort by; null where nothing is known. */
  readonly value: (measures: Measures) => number | null;
  readonly text: (measures: Compared) => string;
}

type Value = MeasureColumn['value'];

const rate = (title: string, value: Value): MeasureColumn => ({
  title,
  value,
  text: measures => percent(value(measures)),
});

/** Of what differs from the reference. */
const errorRate = (title: string, value: Value): MeasureColumn => ({
  title,
  value,
  text: measures => `${percent(value(measures))}${agreementMark(measures)}`,
});

const count = (title: string, value: Value): MeasureColumn => ({
  title,
  value,
  text: measures => figure(value(measures)),
});

const delay = (title: string, name: keyof Delays): MeasureColumn => ({
  title: `${title} p50/p95/p99`,
  value: measures => measures.delay?.[name]?.p50 ?? null,
  text: measures => quantiles(measures.delay?.[name]),
});

/** Every measure that tables show, from which each takes its own: in the order in which they are read. */
export const MEASURE_COLUMNS = {
  wer: errorRate('WER', ({ wer }) => wer),
  werInterval: {
    title: 'WER, 95 % interval',
    value: ({ werInterval }) => werInterval?.low ?? null,
    text: ({ werInterval }) => interval(werInterval),
  },
  cer: errorRate('CER', ({ cer }) => cer),
  substitutions: count('Sub', ({ words }) => words?.substitutions ?? null),
  deletions: count('Del', ({ words }) => words?.deletions ?? null),
  insertions: count('Ins', ({ words }) => words?.insertions ?? null),
  keywords: rate('Keywords', ({ keywords }) => keywords?.recall ?? null),
  firstPartial: delay('First partial', 'firstPartial'),
  word: delay('Word', 'word'),
  final: delay('Final', 'final'),
  upwr: rate('UPWR', ({ upwr }) => upwr),
  upsr: rate('UPSR', ({ upsr }) => upsr),
  coverage: rate('Coverage', ({ coverage }) => coverage),
  violations: count('Violations', ({ violations }) => violations),
  reconnects: count('Reconnects', ({ reconnects }) => reconnects),
} as const satisfies Readonly<Record<string, MeasureColumn>>;

/** Those of the names, in their order. */
export function measureColumns(
  ...names: readonly (keyof typeof MEASURE_COLUMNS)[]
): readonly MeasureColumn[] {
  return names.map(name => MEASURE_COLUMNS[name]);
}

/** Columns in which a report has something to say: of all files, or of one. */
export function filledColumns(columns: readonly MeasureColumn[], report: Report): readonly MeasureColumn[] {
  const rows: readonly Compared[] = [report, ...report.files.filter(({ failure }) => failure === undefined)];
  return columns.filter(({ text }) => rows.some(row => text(row) !== NOTHING));
}

/** Columns of a table of runs. */
export function runColumns(report: Report): readonly MeasureColumn[] {
  const columns = measureColumns(
    ...(['wer', 'cer', 'keywords', 'firstPartial', 'word', 'final', 'upwr', 'upsr'] as const),
    ...(['coverage', 'violations', 'reconnects'] as const),
  );
  return filledColumns(columns, report);
}
