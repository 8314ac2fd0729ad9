import type { Delays, Measures } from '../measure/measures.ts';
import {
  agreementMark,
  type Compared,
  figure,
  interval,
  NOTHING,
  percent,
  quantiles,
  RESULT_FILE,
} from './figures.ts';
import type { Report } from './report.ts';

/** A column of a table. */
export interface MeasureColumn {
  readonly title: string;
  /** Value to sort by; null when unknown. */
  readonly value: (measures: Measures) => number | null;
  readonly text: (measures: Compared) => string;
}

type Value = MeasureColumn['value'];

const rate = (title: string, value: Value): MeasureColumn => ({
  title,
  value,
  text: measures => percent(value(measures)),
});

/** Column of an error rate, with the mark of agreement. */
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

/** Column of a stream, which a result from a file has not. */
const ofStream = ({ text, ...column }: MeasureColumn): MeasureColumn => ({
  ...column,
  text: measures => {
    const { service, files = [{ service }] } = measures;
    return files.every(file => file.service === RESULT_FILE) ? NOTHING : text(measures);
  },
});

/** Columns by name, in reading order. */
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
  upwr: ofStream(rate('UPWR', ({ upwr }) => upwr)),
  upsr: ofStream(rate('UPSR', ({ upsr }) => upsr)),
  coverage: ofStream(rate('Coverage', ({ coverage }) => coverage)),
  reconnects: ofStream({
    title: 'Reconnects',
    value: ({ reconnects }) => reconnects,
    text: ({ reconnects, attempts }) =>
      `${figure(reconnects)}${(attempts ?? 0) > (reconnects ?? 0) ? ` in ${attempts} attempts` : ''}`,
  }),
} as const satisfies Readonly<Record<string, MeasureColumn>>;

/** Returns columns by name, in the given order. */
export function measureColumns(
  ...names: readonly (keyof typeof MEASURE_COLUMNS)[]
): readonly MeasureColumn[] {
  return names.map(name => MEASURE_COLUMNS[name]);
}

/** Returns the columns that have a value for all files or for one. */
export function filledColumns(columns: readonly MeasureColumn[], report: Report): readonly MeasureColumn[] {
  const rows: readonly Compared[] = [report, ...report.files.filter(({ failure }) => failure === undefined)];
  return columns.filter(({ text }) => rows.some(row => text(row) !== NOTHING));
}

/** Returns the columns of a table of runs. */
export function runColumns(report: Report): readonly MeasureColumn[] {
  const columns = measureColumns(
    ...(['wer', 'cer', 'keywords', 'firstPartial', 'word', 'final', 'upwr', 'upsr'] as const),
    ...(['coverage', 'reconnects'] as const),
  );
  return filledColumns(columns, report);
}
