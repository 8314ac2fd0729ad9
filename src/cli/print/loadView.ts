import { counted } from '../../base/text.ts';
import { CLOSE, type CloseRule } from '../../protocol/closeCodes.ts';
import { type FailureCounts, failuresIn, type LoadFigures } from '../../replay/load/loadFigures.ts';
import type { ChaosReport } from '../../replay/load/runChaos.ts';
import type { LoadReport, LoadStep, MissedLimit } from '../../replay/load/runLoad.ts';
import type { Quantiles } from '../../replay/measure/quantiles.ts';
import { clock, percent, seconds } from '../../replay/report/figures.ts';
import type { Output } from '../context.ts';
import type { ProgressLine } from './progressLine.ts';
import { alignedRows, columnsText, linesText } from './table.ts';

interface Column {
  readonly title: string;
  /** Widest usual cell, for rows that are printed one by one. */
  readonly widest: string;
  /** Clients that the column needs: without them, a terminal does not show it. */
  readonly of?: 'streams' | 'jobs';
  readonly cell: (step: LoadStep) => string;
}

const COLUMNS: readonly Column[] = [
  { title: 'Streams', widest: '10000', of: 'streams', cell: ({ streams }) => String(streams) },
  { title: 'Jobs', widest: '10000', of: 'jobs', cell: ({ jobs }) => String(jobs) },
  delayColumn('Final p50', ({ delay }) => delay.final?.p50),
  delayColumn('Final p95', ({ delay }) => delay.final?.p95),
  delayColumn('Final p99', ({ delay }) => delay.final?.p99),
  delayColumn('Lag p95', ({ lag }) => lag?.p95),
  { title: 'Jobs/s', widest: '100.00', of: 'jobs', cell: ({ figures }) => figures.jobs.perSecond.toFixed(2) },
  { title: 'Failures', widest: '10000', cell: ({ figures }) => String(failuresOf(figures)) },
  { title: 'Held', widest: '', cell: heldText },
];

function delayColumn(title: string, value: (figures: LoadFigures) => number | undefined): Column {
  return { title, widest: '10.00 s', of: 'streams', cell: ({ figures }) => seconds(value(figures)) };
}

/**
 * Creates the output of `rxscribe load`: in a terminal a table that grows with each step, and a summary; for other programs tab-separated
 * lines with a first line of titles. With `json`, only the progress is shown.
 */
export function createLoadView(
  stdout: Output,
  line: ProgressLine,
  { json = false }: { readonly json?: boolean } = {},
) {
  /** Known with the first step. */
  let columns: readonly Column[] = [];
  const print = (text: string) => {
    line.hide();
    stdout.write(text);
  };
  return {
    /** Shows the figures of the step so far. */
    progress(step: LoadStep, secondsLeft: number): void {
      const { delay, lag } = step.figures;
      const facts = [
        loadText(step),
        `final p95 ${seconds(delay.final?.p95)}`,
        `lag p95 ${seconds(lag?.p95)}`,
        counted(failuresOf(step.figures), 'failure'),
        `${clock(secondsLeft)} left`,
      ];
      line.show(facts.join(', '), 1 - secondsLeft / (secondsLeft + step.figures.seconds));
    },
    /** Prints the row of a step. */
    step(step: LoadStep): void {
      if (json) return;
      const isFirst = columns.length === 0;
      if (isFirst) columns = COLUMNS.filter(({ of }) => !stdout.isTTY || !of || step[of] > 0);
      const titles = columns.map(({ title }) => title);
      const cells = columns.map(({ cell }) => cell(step));
      const rows = stdout.isTTY
        ? terminalRows(columns, titles, cells)
        : { head: titles.join('\t'), row: cells.join('\t') };
      print(linesText(isFirst ? [rows.head, rows.row] : [rows.row]));
    },
    summary(report: LoadReport): void {
      if (stdout.isTTY) print(summaryText(report, stdout));
    },
  };
}

/** Returns the titles and a row of a table, whose last column is aligned to the left. */
function terminalRows(columns: readonly Column[], titles: readonly string[], cells: readonly string[]) {
  const widest = columns.map(column => column.widest);
  const numbers = [titles, widest, cells].map(row => row.slice(0, -1));
  const [head = '', , row = ''] = alignedRows(numbers, 0);
  return { head: `${head}  ${titles.at(-1)}`, row: `${row}  ${cells.at(-1)}` };
}

function heldText({ missed, isComplete, figures }: LoadStep): string {
  const late = figures.generator.isLate ? ' (generator late)' : '';
  if (!isComplete) return `interrupted${late}`;
  return (missed.length === 0 ? 'yes' : `no: ${missed.join(', ')}`) + late;
}

function loadText({ streams, jobs }: Pick<LoadStep, 'streams' | 'jobs'>): string {
  const parts = [
    ...(streams > 0 ? [counted(streams, 'stream')] : []),
    ...(jobs > 0 ? [counted(jobs, 'job')] : []),
  ];
  return parts.join(' and ');
}

function failuresOf({ streams, jobs }: LoadFigures): number {
  return failuresIn(streams.refused, streams.failed, jobs.failed);
}

const MISSED: Readonly<Record<MissedLimit, string>> = {
  delay: 'the p95 delay of finals was too long',
  lag: 'spoken words waited too long for their text',
  failures: 'too many connections or jobs failed',
  finals: 'no final came',
  jobs: 'jobs could not be submitted at the rate, since too many were in flight',
  generator: 'this process is too slow for the load; run several in parallel',
};

function summaryText(report: LoadReport, output: Output): string {
  const { steps, total, unfinished } = report;
  const shown = steps.findLast(({ missed, isComplete }) => missed.length === 0 && isComplete) ?? steps.at(-1);
  if (!shown) return '';
  const titles = ['', 'p50', 'p95', 'p99', 'max', 'count'];
  const table = columnsText(titles, quantileRows(shown.figures), output);
  const notes = [
    ...countLines(total),
    ...(unfinished > 0 ? [`Unfinished: ${unfinished} streams and jobs.`] : []),
  ];
  return `\n${verdictText(report)}\n\n${table}\n${linesText(notes)}`;
}

function verdictText({ held, isHeld, steps }: LoadReport): string {
  const last = steps.at(-1);
  const parts = [
    ...(held.streams + held.jobs > 0 ? [`Held ${loadText(held)}${isHeld ? ', the full load' : ''}.`] : []),
    ...(last && last.missed.length > 0
      ? [`Not held: ${loadText(last)}, because ${last.missed.map(missed => MISSED[missed]).join('; ')}.`]
      : []),
  ];
  return parts.join(' ') || 'Interrupted before the end of a step.';
}

function quantileRows({ delay, lag, streams, jobs }: LoadFigures): readonly (readonly string[])[] {
  const rows: readonly (readonly [string, Quantiles | null])[] = [
    ['First partial', delay.firstPartial],
    ['Word', delay.word],
    ['Final', delay.final],
    ['Lag', lag],
    ['Handshake', streams.handshake],
    ['Wait for a recogniser', streams.admission],
    ['Submission of a job', jobs.submission],
    ['Job', jobs.duration],
  ];
  return rows.flatMap(([title, value]) => {
    if (!value) return [];
    const { p50, p95, p99, max, count } = value;
    return [[title, ...[p50, p95, p99, max].map(time), String(count)]];
  });
}

/** Formats seconds; below 0.1 s as milliseconds. */
function time(value: number): string {
  return Math.abs(value) < 0.1 ? `${Math.round(value * 1000)} ms` : seconds(value);
}

/** Returns a line for each count of a load that is not zero. */
function countLines({ streams, words, jobs, generator, seconds: length }: LoadFigures): readonly string[] {
  const { expected, missing, extra, changed } = words;
  const failures: readonly (readonly [string, FailureCounts])[] = [
    ['Refused connections', streams.refused],
    ['Broken connections', streams.broken],
    ['Failed streams', streams.failed],
    ['Warnings', streams.warnings],
    ['Failed jobs', jobs.failed],
  ];
  return [
    ...(expected > 0
      ? [`Words: ${expected} expected, ${missing} missing, ${extra} extra, ${changed} changed.`]
      : []),
    ...(jobs.submitted > 0
      ? [
          `Jobs: ${jobs.submitted} submitted, ${jobs.ended} ended, ${jobs.realTimeFactor.toFixed(1)} times real time.`,
        ]
      : []),
    ...(jobs.heldBack > 0 ? [`Jobs held back: ${jobs.heldBack}.`] : []),
    ...failures.flatMap(([title, counts]) =>
      failuresIn(counts) > 0 ? [`${title}: ${kindsText(counts)}.`] : [],
    ),
    `Generator: ${percent(generator.processor)} of a core, audio late by ${time(generator.late?.p99 ?? 0)} (p99)${
      generator.isLate ? '; too slow, so that the delays are too long' : ''
    }; ${clock(length)} in all.`,
  ];
}

const CLOSES: ReadonlyMap<string, string> = new Map(
  Object.values<CloseRule>(CLOSE).map(({ code, reason }) => [String(code), reason]),
);

/** Formats counts by kind: `3 × 4013 (No instance available), 1 × HTTP 503`. */
function kindsText(counts: FailureCounts): string {
  return Object.entries(counts)
    .map(([kind, count]) => `${count} × ${kind}${CLOSES.get(kind) ? ` (${CLOSES.get(kind)})` : ''}`)
    .join(', ');
}

/** Returns the tables of a run with faults, and its verdict. */
export function chaosText(report: ChaosReport, output: Output): string {
  const { faults, facts, findings, isSound, notAudited, seed } = report;
  const found = Object.entries(findings).filter(([, count]) => count > 0);
  const table = (title: string, counts: Readonly<Record<string, number>>) =>
    columnsText(
      [title, ''],
      Object.entries(counts).map(([name, count]) => [wordsOf(name), count]),
      output,
    );
  const missing = notAudited.map(
    name => `${name} (${name === 'leftovers' ? '--admin-token' : '--notify-url'})`,
  );
  return [
    table('Faults', faults),
    table('Sent', facts),
    table('Must be 0', findings),
    ...(missing.length > 0 ? [`Not audited: ${missing.join(', ')}.\n`] : []),
    isSound
      ? 'Sound: the audit found nothing.\n'
      : `Not sound, with seed ${seed}: ${found.map(([name, count]) => `${count} ${wordsOf(name)}`).join(', ') || 'nothing was sent'}.\n`,
  ].join('');
}

/** Returns `jobs lost` for `jobsLost`. */
function wordsOf(name: string): string {
  return name.replace(/[A-Z]/g, letter => ` ${letter.toLowerCase()}`);
}
