import { markdownTable } from 'markdown-table';
import { commonErrors, worstFiles } from './commonErrors.ts';
import {
  clock,
  delayOf,
  interval,
  measureText,
  middleAndMost,
  NOTHING,
  percent,
  titleOf,
} from './figures.ts';
import type { FileReport, GateCheck, Measures, Report } from './report.ts';

/** How many rows the table of files has: hosts cut comments off that are too long. */
const MAX_ROWS = 200;

/** A report as Markdown, for a pull request: the gate, differences to the baseline, all files, and where to look. */
export function markdownReport(report: Report): string {
  const parts = [
    heading(report),
    failedChecks(report),
    baselineTable(report),
    filesTable(report),
    worst(report),
    errors(report),
    `${escapeMarkdown(`Rules ${report.rules.join(', ')}; alignment ${report.alignment}; ${report.createdAt}`)}.`,
  ];
  return `${parts.filter(part => part !== '').join('\n\n')}\n`;
}

function heading({ suite, gate, files, wer, werInterval }: Report): string {
  const failed = files.filter(({ failure }) => failure !== undefined).length;
  const runs = `${files.length} ${files.length === 1 ? 'run' : 'runs'}${failed > 0 ? `, ${failed} failed` : ''}`;
  const rate = wer === null ? '' : `, WER ${percent(wer)}`;
  const spread = werInterval ? ` (95 %: ${interval(werInterval)})` : '';
  return `## ${gate.passed ? '✅ Passed' : '❌ Failed'}: ${escapeMarkdown(suite)}\n\n${runs}${rate}${spread}`;
}

function failedChecks({ gate }: Report): string {
  const failed = gate.checks.filter(({ passed }) => !passed);
  return failed
    .map(check => `- ❌ ${escapeMarkdown(subject(check))}: ${escapeMarkdown(check.message)}`)
    .join('\n');
}

function subject({ file, repeat }: GateCheck): string {
  if (file === undefined) return 'all files';
  return repeat === undefined ? file : `${file} (repeat ${repeat})`;
}

function baselineTable({ gate }: Report): string {
  const rows = gate.checks.flatMap(check => {
    const { baseline, value, measure } = check;
    if (baseline === undefined) return [];
    return [
      [
        escapeMarkdown(subject(check)),
        measure,
        measureText(measure, baseline),
        value === null ? NOTHING : measureText(measure, value),
        value === null ? NOTHING : difference(check, value - baseline),
        check.passed ? '✅' : '❌',
      ],
    ];
  });
  if (rows.length === 0) return '';
  const header = ['File', 'Measure', 'Baseline', 'Now', 'Difference (95 %)', ''];
  const table = markdownTable([header, ...rows.slice(0, MAX_ROWS)], {
    align: ['l', 'l', 'r', 'r', 'r', 'c'],
  });
  return `### Against the baseline\n\n${table}${rest(rows.length)}`;
}

function difference({ measure, interval: spread }: GateCheck, value: number): string {
  const signed = (number: number) => `${number > 0 ? '+' : ''}${measureText(measure, number)}`;
  return spread ? `${signed(value)} (${signed(spread.low)} to ${signed(spread.high)})` : signed(value);
}

const FILE_COLUMNS = [
  'File',
  'Audio',
  'WER',
  'CER',
  'Word delay p50 / p95',
  'Final delay p50 / p95',
  'UPWR',
  'Coverage',
  'Violations',
  'Reconnects',
] as const;

function filesTable(report: Report): string {
  const { files } = report;
  const rows = files.slice(0, MAX_ROWS).map(file => fileRow(file, titleOf(file, files)));
  const all = [
    '**All**',
    clock(files.reduce((sum, file) => sum + file.seconds, 0)),
    ...measureCells(report).map(cell => `**${cell}**`),
  ];
  const align = FILE_COLUMNS.map((_, index) => (index === 0 ? 'l' : 'r'));
  const table = markdownTable([[...FILE_COLUMNS], ...rows, all], { align });
  return `### Files\n\n${table}${rest(files.length)}`;
}

function fileRow(file: FileReport, title: string): string[] {
  const name = escapeMarkdown(title);
  if (file.failure === undefined) return [name, clock(file.seconds), ...measureCells(file)];
  return [`${name}: ❌ ${escapeMarkdown(file.failure)}`, clock(file.seconds)];
}

function measureCells(measures: Measures): string[] {
  return [
    percent(measures.wer),
    percent(measures.cer),
    middleAndMost(delayOf(measures, 'word')),
    middleAndMost(delayOf(measures, 'final')),
    percent(measures.upwr),
    percent(measures.coverage),
    String(measures.violations),
    String(measures.reconnects),
  ];
}

function worst({ files }: Report): string {
  if (files.length < 2) return '';
  const lines = worstFiles(files).map(file => {
    const { words, failure, wer } = file;
    const name = escapeMarkdown(titleOf(file, files));
    if (failure !== undefined) return `- ${name}: ${escapeMarkdown(failure)}`;
    const counts = words
      ? ` (${words.substitutions} substituted, ${words.deletions} deleted, ${words.insertions} inserted of ${words.tokens})`
      : '';
    return `- ${name}: ${percent(wer)}${counts}`;
  });
  return lines.length === 0 ? '' : `### Worst files\n\n${lines.join('\n')}`;
}

function errors({ files }: Report): string {
  const rows = commonErrors(files).map(({ type, reference, hypothesis, count }) => [
    escapeMarkdown(reference) || NOTHING,
    escapeMarkdown(hypothesis) || NOTHING,
    type,
    String(count),
  ]);
  if (rows.length === 0) return '';
  const table = markdownTable([['Said', 'Heard', 'Error', 'Times'], ...rows], {
    align: ['l', 'l', 'l', 'r'],
  });
  return `### Most common errors\n\n${table}`;
}

function rest(count: number): string {
  return count > MAX_ROWS ? `\n\nand ${count - MAX_ROWS} more` : '';
}

/** Text that means nothing to Markdown, its tables, HTML, or a host that links names and numbers. */
export function escapeMarkdown(text: string): string {
  return text
    .replace(/[\r\n\u2028\u2029]+/g, ' ')
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replace(/[\\`*_{}[\]()#+!|~$]/g, '\\$&')
    .replaceAll('@', '&#64;');
}
